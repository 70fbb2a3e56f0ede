"""Who is let in by ``hangtui serve``, without a web server: what a request must carry."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?")
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
)
"""Nothing is fetched from elsewhere, and no other page shows this one."""
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What each answer says to the browser."""


class Admission:
    """Knows the token, and makes of it a cookie that is good for one port alone.

    A browser sends a cookie to every port of a host, and other users of this machine may listen
    on them. So the cookie is not the token; it is valid only under the port that the browser
    asked for it on; and it belongs to a *folder* with a secret name, so that a browser sends it
    to no server but this one in the first place.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._key = secrets.token_bytes(32)
        self.folder = f"/{secrets.token_urlsafe(16)}"
        """Where the pages are; without a slash at its end."""

    @staticmethod
    def port(host: str) -> str | None:
        """The port that a ``Host`` header names, empty for none; None: it is not this machine.

        A page elsewhere can make a browser send requests here, by a name of its own that leads
        here, too; the name gives it away. The port may be another one than ours: ``ssh -L``.
        """
        found = _HOST.fullmatch(host)
        return (found[1] or "") if found else None

    def is_token(self, given: str) -> bool:
        """Whether it is the token, in a time that tells nothing."""
        return hmac.compare_digest(given.encode(errors="replace"), self._token)

    def cookie(self, port: str) -> tuple[str, str]:
        """The name and the value of the cookie for a browser that came to *port*."""
        value = hmac.new(self._key, f"port {port}".encode(), hashlib.sha256).hexdigest()
        return f"hangtui-{port or 80}", value

    def has_cookie(self, port: str, cookies: Mapping[str, str]) -> bool:
        """Whether a request to *port* carries the cookie that was made for it."""
        name, value = self.cookie(port)
        given = cookies.get(name, "")
        return hmac.compare_digest(given.encode(errors="replace"), value.encode())

    @staticmethod
    def is_own_page(host: str, origin: str | None, *, required: bool) -> bool:
        """Whether a request comes from a page of ours; *required*: it must say so.

        WebSockets know no other protection from pages elsewhere than their ``Origin``.
        """
        if origin is None:
            return not required
        return origin == f"http://{host}"
