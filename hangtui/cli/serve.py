"""``hangtui serve``: the screens in a browser on this machine, for whoever has the token."""

import argparse
import hmac
import os
import secrets
import shlex
import socket
import sys
from typing import TYPE_CHECKING, Any

from hangtui.cli import output, targets
from hangtui.model import UsageError

if TYPE_CHECKING:
    from aiohttp import web

HOST = "127.0.0.1"
"""Never another one: what the screens show belongs to whoever may trace the processes."""
COOKIE = "hangtui"
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
)
"""Nothing is fetched from elsewhere, and no other page shows this one."""


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from hangtui.cli.serving import TokenServer
    except ImportError as error:
        raise UsageError(
            f"the browser's screens need textual-serve ({error.name} is missing)",
            "pip install 'hangtui[serve]'",
        ) from error
    token = secrets.token_urlsafe(24)
    port = _free_port(args.port)
    output.say(f"hangtui: open http://{HOST}:{port}/?token={token}")
    output.say(f"  from elsewhere: ssh -L {port}:{HOST}:{port} HOST, or kubectl port-forward")
    output.say("  ^C ends it; whoever has this address sees what you may see")
    os.environ.setdefault("HANGTUI_THEME", "textual-dark")
    TokenServer(command(args), HOST, port, token).serve()
    return 0


def command(args: argparse.Namespace) -> str:
    """What is run for each browser window."""
    asked = targets.parse_targets(args.targets)
    if asked.pids and asked.files:
        raise UsageError("PIDs and files cannot be served together", "hangtui serve --help")
    words = [sys.executable, "-m", "hangtui"]
    words += ["open", *asked.files] if asked.files else list(map(str, asked.pids))
    if args.children and not asked.files:
        words.append("--children")
    return shlex.join(words)


def admitted(request: "web.Request", token: str) -> bool:
    """Whether a request carries the token and is meant for this server.

    A page elsewhere can make a browser send requests here; it cannot know the token, and its own
    name in `Host` or `Origin` gives it away.
    """
    names = ("127.0.0.1", "localhost", "[::1]")
    host = request.headers.get("Host", "").rpartition(":")[0] or request.headers.get("Host", "")
    origin = request.headers.get("Origin")
    if host not in names:
        return False
    if origin is not None and origin != f"http://{request.headers.get('Host', '')}":
        return False
    given = request.cookies.get(COOKIE, "")
    return hmac.compare_digest(given.encode(), token.encode())


def headers() -> dict[str, Any]:
    """What each answer says to the browser."""
    return {
        "Content-Security-Policy": _POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }


def _free_port(port: int) -> int:
    """*port* if it can be listened on; any free one for 0.

    Raises:
        UsageError: it cannot.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"cannot listen on port {port}: {reason}", "--port 0") from error
        return int(probe.getsockname()[1])
