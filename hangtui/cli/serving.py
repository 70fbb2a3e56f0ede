"""textual-serve's server behind a token. Imported only where textual-serve is installed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aiohttp import web
from textual_serve.server import Server, to_int

from hangtui.cli.admission import HEADERS, Admission
from hangtui.cli.window import Window

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_WRONG = "the token is missing or wrong: open the address that hangtui serve has printed\n"
_LEAVING_S = 5.0
"""How long a new window waits for one that is being closed: reloading a page does both."""
_MESSAGE = 1 << 16
"""Bytes of one message of a browser; keys and pasted text."""


class TokenServer(Server):
    """Answers only who came with the token once; a cookie keeps that for the rest."""

    def __init__(
        self, words: Sequence[str], host: str, port: int, token: str, sessions: int
    ) -> None:
        super().__init__("hangtui", host=host, port=port, title="hangtui")
        self._words = words
        self._admission = Admission(token)
        self._sessions = sessions
        self._places = asyncio.Semaphore(sessions)

    def initialize_logging(self) -> None:
        """Log nothing: whoever can connect would have his bytes, and tracebacks, printed here."""
        log = logging.getLogger("aiohttp")
        log.addHandler(logging.NullHandler())
        log.propagate = False

    async def on_startup(self, app: web.Application) -> None:
        """Print nothing: the command line has said where it is."""

    async def _make_app(self) -> web.Application:
        """The pages in their folder, and before it the door where the token is shown."""
        door = web.Application(middlewares=[self._guard()])
        door.router.add_get("/", self._welcome)
        door.add_subapp(self._admission.folder, await super()._make_app())
        return door

    def _guard(self) -> Any:
        """The check in front of every request, whatever it asks for."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            hosts = request.headers.getall("Host", [])
            port = self._admission.port(hosts[0]) if len(hosts) == 1 else None
            if port is None or not self._is_admitted(request, hosts[0], port):
                return web.Response(status=403, text=_WRONG, headers=HEADERS)
            try:
                response = await handler(request)
            except web.HTTPException as error:
                error.headers.update(HEADERS)
                raise
            if not response.prepared:
                response.headers.update(HEADERS)
            return response

        return guard

    def _is_admitted(self, request: web.Request, host: str, port: str) -> bool:
        socket = request.headers.get("Upgrade") is not None or request.path.endswith("/ws")
        origins = request.headers.getall("Origin", [])
        if len(origins) > 1:
            return False
        origin = origins[0] if origins else None
        if not self._admission.is_own_page(host, origin, required=socket):
            return False
        if request.path == "/" and not socket:
            return self._admission.is_token(request.query.get("token", ""))
        return self._admission.has_cookie(port, request.cookies)

    async def _welcome(self, request: web.Request) -> web.Response:
        """Make the token a cookie, and take it out of the address."""
        folder = self._admission.folder
        name, value = self._admission.cookie(self._admission.port(request.headers["Host"]) or "")
        response = web.Response(status=302, headers={"Location": f"{folder}/"})
        response.set_cookie(name, value, path=folder, httponly=True, samesite="Strict")
        return response

    async def handle_index(self, request: web.Request) -> Any:
        """The page, if there is room for one more window."""
        if not await self._enter():
            return web.Response(status=503, text=self._full)
        self._places.release()  # the page's own WebSocket takes it
        # The port may be another one where the browser is: kubectl port-forward, ssh -L.
        self.public_url = f"http://{request.headers['Host']}"
        return await super().handle_index(request)

    async def handle_websocket(self, request: web.Request) -> Any:
        """One window: hangtui runs for as long as it is open."""
        if not await self._enter():
            return web.Response(status=503, text=self._full)
        try:
            width, height = (to_int(request.query.get(key, ""), 0) for key in ("width", "height"))
            socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_MESSAGE)
            await socket.prepare(request)
            window = Window(self._words, socket, self.download_manager)
            await window.serve(width, height)
        finally:
            self._places.release()
        return socket

    @property
    def _full(self) -> str:
        return f"{self._sessions} windows are open already: close one, then load this page again\n"

    async def _enter(self) -> bool:
        try:
            await asyncio.wait_for(self._places.acquire(), _LEAVING_S)
        except TimeoutError:
            return False
        return True
