"""Who may talk to the local server: one guard around the whole application.

A server on a laptop is within reach of every page that its owner has open: by
DNS rebinding (a foreign name that points here), by a form or a fetch from
another origin, by another server on the same machine. So nothing passes that
breaks one of RULES, whatever kind of ASGI scope it comes in, and what is
answered carries the headers that limit the page itself.

What would be wrong here: routes, and any decision on a parsed URL. The rules
read the scope's path and its raw headers, which nobody has tidied up.
"""

import hmac
from collections.abc import Callable, Iterable
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 64 * 1024
TOKEN = b"x-explorer-token"

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Refusal(NamedTuple):
    status: int
    reason: str


class Allowed(NamedTuple):
    """What this one server lets in."""

    hosts: frozenset[bytes]
    token: bytes

    @classmethod
    def on(cls, port: int, token: str) -> "Allowed":
        names = ("127.0.0.1", "localhost", "[::1]")
        hosts = {f"{name}:{port}" for name in names}
        # Browsers leave the port out of the Host header where it is HTTP's own.
        bare = set(names) if port == 80 else set()
        return cls(frozenset(host.encode() for host in hosts | bare), token.encode())


class Request(NamedTuple):
    method: str
    path: str
    headers: tuple[tuple[bytes, bytes], ...]

    def all(self, name: bytes) -> list[bytes]:
        return [value for key, value in self.headers if key.lower() == name]

    def one(self, name: bytes) -> bytes:
        """The header's value; nothing where it is missing or said twice."""
        values = self.all(name)
        return values[0] if len(values) == 1 else b""

    @property
    def is_api(self) -> bool:
        return self.path == "/api" or self.path.startswith("/api/")


def foreign_host(request: Request, allowed: Allowed) -> Refusal | None:
    if request.one(b"host").lower() in allowed.hosts:
        return None
    return Refusal(403, "This server answers to 127.0.0.1 and localhost only.")


def foreign_origin(request: Request, allowed: Allowed) -> Refusal | None:
    """A browser names the origin that asks; `null` is one that hides."""
    if (
        not request.all(b"origin")
        or request.one(b"origin") == b"http://" + request.one(b"host").lower()
    ):
        return None
    return Refusal(403, "Requests from another origin are refused.")


def foreign_site(request: Request, allowed: Allowed) -> Refusal | None:
    """Fetch metadata, which a page cannot forge. Another port of this machine is `same-site`,
    and is refused like any other site."""
    if not request.all(b"sec-fetch-site"):
        return None  # not a browser, or an old one: host and origin have been looked at
    if request.one(b"sec-fetch-site") in (b"same-origin", b"none") or is_link(request):
        return None
    return Refusal(403, "Requests from another site are refused.")


def is_link(request: Request) -> bool:
    """Somebody followed a link to a page from elsewhere. That is what shared addresses are for,
    and it is safe: reading a page changes nothing, the site that linked cannot read the answer,
    and the opener policy cuts it off. A frame is not a link: its destination is `iframe`."""
    return (
        request.method == "GET"
        and request.one(b"sec-fetch-mode") == b"navigate"
        and request.one(b"sec-fetch-dest") == b"document"
        and not request.is_api
    )


def upgrade(request: Request, allowed: Allowed) -> Refusal | None:
    return Refusal(403, "Connections are not upgraded here.") if request.all(b"upgrade") else None


def no_token(request: Request, allowed: Allowed) -> Refusal | None:
    if not request.is_api or hmac.compare_digest(request.one(TOKEN), allowed.token):
        return None
    return Refusal(401, "The API needs the token that this server was started with.")


def writing(request: Request, allowed: Allowed) -> Refusal | None:
    if request.is_api or request.method in ("GET", "HEAD"):
        return None
    return Refusal(405, "Pages are read with GET or HEAD.")


def long_body(request: Request, allowed: Allowed) -> Refusal | None:
    """As announced. What is not announced is counted while it is read."""
    announced = request.one(b"content-length") or b"0"
    if announced.isdigit() and len(announced) < 10 and int(announced) <= LARGEST_BODY:
        return None
    return TOO_LONG


TOO_LONG = Refusal(413, f"A request may carry {LARGEST_BODY} bytes.")

Rule = Callable[[Request, Allowed], Refusal | None]
RULES: tuple[Rule, ...] = (
    foreign_host,
    foreign_origin,
    foreign_site,
    upgrade,
    no_token,
    writing,
    long_body,
)


def refusal(request: Request, allowed: Allowed) -> Refusal | None:
    """The first rule's that the request breaks."""
    return next(filter(None, (rule(request, allowed) for rule in RULES)), None)


class BodyTooLong(Exception):
    """More was read than a request may carry."""


class Guard:
    """An ASGI application around another. A kind of scope that is not named gets no answer."""

    def __init__(self, app: ASGIApp, allowed: Allowed, policy: str) -> None:
        self._app = app
        self._allowed = allowed
        self._headers = (*HEADERS, (b"content-security-policy", policy.encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "no websockets here"})
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope["method"], scope["path"], tuple(scope["headers"]))
        answer = Answer(send, [*self._headers, keep(request)])
        refused = refusal(request, self._allowed)
        if refused:
            await answer.refuse(refused)
            return
        try:
            await self._app(scope, counted(receive), answer)
        except BodyTooLong:
            if answer.started:
                raise
            await answer.refuse(TOO_LONG)


def keep(request: Request) -> tuple[bytes, bytes]:
    """How long an answer may be kept, where the application does not say it."""
    return (b"cache-control", b"no-store" if request.is_api else b"no-cache")


def counted(receive: Receive) -> Receive:
    """The same body, given up on when it grows past what a request may carry."""
    read = 0

    async def receive_counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LARGEST_BODY:
            raise BodyTooLong
        return message

    return receive_counted


class Answer:
    """Puts our headers on a response. A header that the application has set itself stays,
    unless it would let another origin read: no answer carries a CORS header."""

    def __init__(self, send: Send, headers: Iterable[tuple[bytes, bytes]]) -> None:
        self._send = send
        self._headers = tuple(headers)
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": self._with_ours(message.get("headers", ()))}
        await self._send(message)

    def _with_ours(self, theirs: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        kept = [(k.lower(), v) for k, v in theirs if not k.lower().startswith(b"access-control-")]
        names = {name for name, _ in kept}
        return kept + [(name, value) for name, value in self._headers if name not in names]

    async def refuse(self, refused: Refusal) -> None:
        body = f"{refused.reason}\n".encode()
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await self({"type": "http.response.start", "status": refused.status, "headers": headers})
        await self({"type": "http.response.body", "body": body})
