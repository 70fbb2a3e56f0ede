"""textual-serve's server behind a token. Imported only where textual-serve is installed."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from textual_serve.server import Server

from hangtui.cli.serve import COOKIE, admitted, headers

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class TokenServer(Server):
    """Answers only who came with the token once; a cookie keeps it for the rest."""

    def __init__(self, command: str, host: str, port: int, token: str) -> None:
        super().__init__(command, host=host, port=port, title="hangtui")
        self._token = token

    def initialize_logging(self) -> None:
        """Leave logging as it is: tracebacks with variables are no output of a debugger."""

    async def on_startup(self, app: web.Application) -> None:
        """Print nothing: the command line has said where it is."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard())
        return app

    def _guard(self) -> Any:
        """The check in front of every request."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            given = request.query.get("token")
            if request.path == "/" and given is not None:
                return self._welcome(given)
            if not admitted(request, self._token):
                return web.Response(status=403, text="the token is missing or wrong\n")
            # The port may be another one where the browser is: kubectl port-forward, ssh -L.
            self.public_url = f"http://{request.headers['Host']}"
            response = await handler(request)
            if not response.prepared:
                response.headers.update(headers())
            return response

        return guard

    def _welcome(self, given: str) -> web.Response:
        """Keep the token as a cookie, and take it out of the address."""
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return web.Response(status=403, text="the token is missing or wrong\n")
        response = web.Response(status=302, headers={**headers(), "Location": "/"})
        response.set_cookie(COOKIE, self._token, httponly=True, samesite="Strict")
        return response
