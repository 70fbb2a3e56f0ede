"""``hangtui serve``: the screens in a browser on this machine, for whoever has the token."""

import argparse
import secrets
import socket
from pathlib import Path

from hangtui.cli import output, targets
from hangtui.model import UsageError, clean
from hangtui.powers import Console, Powers, user_name

HOST = "127.0.0.1"
"""Never another one: what the screens show belongs to whoever may trace the processes."""
SESSIONS = 8
"""Browser windows at a time: each is a process of its own, with captures of its own."""


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from hangtui.cli.serving import TokenServer
    except ImportError as error:
        raise UsageError(
            f"the browser's screens need textual-serve ({error.name} is missing)",
            "pip install 'hangtui[serve]'",
        ) from error
    words, powers = (
        command(args),
        Powers.of(console=args.allow_console, stop=args.allow_stop, served=True),
    )
    token = secrets.token_urlsafe(24)
    port = _free_port(args.port)
    output.say(f"hangtui: open http://{HOST}:{port}/?token={token}")
    output.say(f"  from elsewhere: ssh -L {port}:{HOST}:{port} HOST, or kubectl port-forward")
    for line in holder(powers, _here()):
        output.say(f"  {line}")
    output.say("  ^C ends it")
    TokenServer(words, HOST, port, token, SESSIONS).serve()
    return 0


def holder(powers: Powers, folder: Path) -> list[str]:
    """What whoever has the address can do, who exports into *folder*."""
    user = user_name()
    if powers.console is Console.ANYTHING:
        return [f"whoever has this address has a shell as {user} (--allow-console)"]
    stops = (
        "they may stop processes, for 30 s at a time (--allow-stop)"
        if powers.stop
        else "they stop no process, not even for milliseconds"
    )
    return [
        f"whoever has this address sees what {user} may see: stacks, variables, memory, source;",
        f"{stops}; they run no command;",
        f"what they export and copy is written into {clean(str(folder))} and ~/.cache/hangtui",
    ]


def command(args: argparse.Namespace) -> list[str]:
    """What is run for each browser window.

    Nothing of the present folder is imported: others may be able to write to it.
    """
    from hangtui.backends.tools import programs

    asked = targets.parse_targets(args.targets)
    if asked.pids and asked.files:
        raise UsageError("PIDs and files cannot be served together", "hangtui serve --help")
    words = programs.python("hangtui")
    if asked.files:
        words += ["open", *(str(Path(file).absolute()) for file in asked.files)]
    else:
        words += map(str, asked.pids)
        if args.children:
            words.append("--children")
    words.append("--served")
    words += ["--allow-console"] if args.allow_console else []
    words += ["--allow-stop"] if args.allow_stop else []
    return words


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError("the current folder is gone", "cd") from error


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
