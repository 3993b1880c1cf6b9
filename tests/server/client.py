"""A client that speaks ASGI to an application: no socket, no thread, no waiting."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Scope

PORT = 8000
TOKEN = "the-token"
SCRIPT = "assets/page-0123456789ab.js"
WORKER = "assets/worker-0123456789ab.js"
STYLE = "assets/style-0123456789ab.css"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Client:
    application: ASGIApp
    host: str = f"127.0.0.1:{PORT}"

    def get(self, path: str, *headers: tuple[str, str], **more: object) -> Answer:
        return self.ask("GET", path, ("Host", self.host), *headers, **more)

    def ask(
        self,
        method: str,
        path: str,
        *headers: tuple[str, str],
        body: Sequence[bytes] = (b"",),
        query: bytes = b"",
    ) -> Answer:
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "surrogateescape"),
            "root_path": "",
            "query_string": query,
            "headers": [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in headers],
            "server": ("127.0.0.1", PORT),
            "client": ("127.0.0.1", 50000),
        }
        sent = asyncio.run(converse(self.application, scope, body))
        start, *rest = sent
        names = [k for k, _ in start["headers"]]
        assert len(names) == len(set(names)), f"a header is said twice: {names}"
        return Answer(
            start["status"],
            {k.decode(): v.decode() for k, v in start["headers"]},
            b"".join(message.get("body", b"") for message in rest),
        )


async def converse(application: ASGIApp, scope: Scope, body: Sequence[bytes]) -> list[Message]:
    pieces = [
        {"type": "http.request", "body": piece, "more_body": place < len(body) - 1}
        for place, piece in enumerate(body)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return pieces.pop(0) if pieces else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await application(scope, receive, send)
    return sent
