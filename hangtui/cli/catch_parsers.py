"""The arguments of ``hangtui run`` and ``hangtui watch``, and their help."""

import argparse

_RUN = """\
Runs a command on this terminal as if it had been typed alone, and captures it in the moment in
which it crashes (SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, an uncaught C++ exception) or, with
--hang-after, when it makes no progress; also the processes that it starts. At the end the screens
open over the capture, if this is a terminal.
"""

_RUN_EXAMPLES = """\
examples:
  hangtui run -- python server.py
  hangtui run --hang-after 60s -o server.hang --no-open -- python server.py

exit status: that of the command; 128 and the signal's number if a signal ended it.
"""

_WATCH = """\
Waits beside a running process, without stopping it, until it or one of the processes that it starts
crashes or hangs, and writes a capture then. If hangtui ends, the process runs on.
"""

_WATCH_EXAMPLES = """\
examples:
  hangtui watch 4711 --hang-after 5m -d /var/tmp/captures
  docker exec CONTAINER hangtui watch 1 -d /captures

exit status: 0 the process ended and nothing was captured; 1 something was; 2 it cannot be watched.
"""

TEXTS = {"run": (_RUN, _RUN_EXAMPLES), "watch": (_WATCH, _WATCH_EXAMPLES)}
"""Descriptions and examples."""


def add_options(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of *name* to its parser."""
    if name == "run":
        _add_run_options(parser)
    else:
        _add_watch_options(parser)


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = "hangtui run [--hang-after TIME] [-o FILE] [--core FILE] [--no-open] -- CMD..."
    parser.add_argument("--hang-after", metavar="TIME", help="30s, 5m: capture a hang too")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: x.hang")
    parser.add_argument("--core", metavar="FILE", help="also write a core file of the crash")
    parser.add_argument("--no-open", action="store_true", help="do not open the screens at the end")
    parser.add_argument("command", metavar="CMD", nargs=argparse.REMAINDER)


def _add_watch_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pid", metavar="PID")
    parser.add_argument(
        "--hang-after", metavar="TIME", default="5m", help="default: 5m; never: crashes only"
    )
    parser.add_argument(
        "-d", "--directory", metavar="DIR", default=".", help="where captures go (default: here)"
    )
    parser.add_argument(
        "--keep", metavar="N", type=int, default=20, help="captures kept there (default: 20)"
    )
