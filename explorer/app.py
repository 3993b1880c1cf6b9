"""The local server: the same pages as the static site, from the same functions.

Pages are rendered when they are asked for; scripts, styles and the page's
Python are the files that the build made. Their names carry a hash of what they
hold, so that a browser may keep them for good. What would be wrong here: a
page's content (pages), and deciding who may ask (guard).
"""

import secrets
import socket
import sys
import threading
import webbrowser
from pathlib import Path, PurePosixPath

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from explorer import pages, terminal
from explorer.guard import Allowed, Guard
from explorer.hurry import Hurried
from sim_core.quoting import said

# Said here, because a system may believe otherwise and a browser may not guess (nosniff).
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".wasm": "application/wasm",
}
FOLDERS = ("assets", "python")
FOR_GOOD = "public, max-age=31536000, immutable"
PACKAGE = Path(__file__).parent
LIMIT_CONCURRENCY = 100
SECONDS_TO_FINISH = 3


def create_app(site: Path, port: int = 8000, token: str = "") -> ASGIApp:
    """The guarded application for one built site; pages.NotBuilt where it would not work."""
    built = pages.Built.load(site)
    _check(site, built)

    def page(request: Request) -> Response:
        return HTMLResponse(pages.render(request.scope["path"], built))

    def missing(request: Request, error: Exception) -> Response:
        return HTMLResponse(pages.missing(built), status_code=404)

    def feed(request: Request) -> Response:
        if not (site / pages.FEED).is_file():
            raise HTTPException(404)
        return Response((site / pages.FEED).read_bytes(), media_type="application/atom+xml")

    app = Starlette(
        routes=[
            *(Route(path, page) for path in pages.PATHS),
            Route(f"/{pages.FEED}", feed),
            *(Mount(f"/{name}", Kept(directory=site / name)) for name in FOLDERS),
        ],
        exception_handlers={404: missing},
    )
    return Guard(app, Allowed.on(port, token or secrets.token_urlsafe()), pages.POLICY)


def _check(site: Path, built: pages.Built) -> None:
    """Raise NotBuilt unless every file that a page names is there, and every page is made: better
    one sentence at the start than a broken page in front of a reader."""
    try:
        named = [*built.assets.values(), *(part["path"] for part in built.python)]
        lost = next((name for name in named if not (site / name).is_file()), "")
        lost = lost or next((name for name in FOLDERS if not (site / name).is_dir()), "")
        for path in () if lost else pages.PATHS:
            pages.render(path, built)
        pages.missing(built)
    except Exception as error:  # whatever an odd manifest or a lost template leads to
        lost = said(error)
    if lost:
        raise pages.NotBuilt(
            f"The site in {site} is not whole ({lost}): build anew with python3 build.py site"
        )


class Kept(StaticFiles):
    """Files whose names change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = FOR_GOOD
        kind = KINDS.get(PurePosixPath(path).suffix)
        if kind:
            response.headers["content-type"] = kind
        if path.startswith("worker-"):
            # A worker's policy is its own response's, and this one compiles Python.
            response.headers["content-security-policy"] = pages.WORKER_POLICY
        return response


def serve(port: int = 8000, open_browser: bool = True) -> int:
    """Serve the built site until interrupted; the exit status."""
    site = built_site()
    if not site:
        return _complain("There is no built site here yet. Build it with: python3 build.py site")
    try:
        listener = _listener(port)
    except (OSError, OverflowError) as error:
        return _complain(_remedy(port, error))
    with listener:
        try:
            return _serve(site, listener, open_browser)
        except pages.NotBuilt as error:
            return _complain(str(error))
        except KeyboardInterrupt:
            return 130


def _serve(site: Path, listener: socket.socket, open_browser: bool) -> int:
    port = listener.getsockname()[1]
    server = uvicorn.Server(_config(create_app(site, port)))
    address = f"http://127.0.0.1:{port}/"
    terminal.say(f"Serving {address} (Ctrl+C ends it)")
    if open_browser:
        # On its own: some browsers only come back when their window is closed.
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
    server.run(sockets=[listener])
    # It raises the signal anew once it has ended; seldom that comes to nothing.
    return 130 if server.started and server.should_exit else 0


def built_site() -> Path | None:
    """The site inside an installed package, or the one that build.py wrote beside it."""
    for place in (PACKAGE / "site", PACKAGE.parent / "dist"):
        if (place / "built.json").is_file():
            return place
    return None


def _listener(port: int) -> socket.socket:
    """Bound here and not by uvicorn, so that a port in use can be told from other failures.
    To the loopback address alone: nobody else's machine has business here."""
    listener = socket.socket(socket.AF_INET)
    if sys.platform != "win32":  # there it would let two servers share one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def _config(application: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        # With a websocket library around, malformed upgrades keep it from ending.
        ws="none",
        http=Hurried,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        limit_concurrency=LIMIT_CONCURRENCY,
        server_header=False,
        proxy_headers=False,
        log_level="error",  # its warnings are about what a stranger sent, and advise on websockets
    )


def _remedy(port: int, error: Exception) -> str:
    if isinstance(error, OverflowError):
        return f"There is no port {port}: ports are 0 to 65535."
    if isinstance(error, PermissionError):
        return f"Port {port} is not ours to use; take another one: --port 8000"
    return f"Port {port} is in use; take another one: --port {port + 1}"


def _complain(sentence: str) -> int:
    terminal.complain(sentence)
    return 2
