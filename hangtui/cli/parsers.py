"""What can be typed: the arguments of ``hangtui`` and of its commands."""

import argparse
from typing import NoReturn

from hangtui import __version__
from hangtui.cli import help_texts
from hangtui.model import UsageError
from hangtui.provider import NativeMode

COMMANDS = tuple(help_texts.COMMANDS)
THEMES = ("terminal", "dark", "light", "high-contrast")
"""As the screens have them."""
GATHERED_BY = ("ssh", "slurm", "mpi", "kubectl", "docker", "podman", "dask", "ray", "local")
"""As ``backends/gather/places.py`` has them."""


class Parser(argparse.ArgumentParser):
    """Reports what is wrong with the arguments as a `UsageError`."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and exiting."""
        raise UsageError(message, f"{self.prog} --help")


def main_parser() -> Parser:
    """The arguments of ``hangtui`` without a command."""
    parser = _parser("hangtui", help_texts.MAIN, help_texts.MAIN_EXAMPLES)
    parser.usage = (
        f"hangtui [--children] [--native {'|'.join(NativeMode)}] [--ascii] [--theme NAME]\n"
        "               [--no-mouse] [--allow-console] [PID ...]\n"
        f"       hangtui {'|'.join(COMMANDS)} ..."
    )
    parser.add_argument("targets", metavar="PID", nargs="*", help="a process (default: all Python)")
    parser.add_argument("--version", action="version", version=f"hangtui {__version__}")
    _add_capture_options(parser)
    _add_screen_options(parser)
    return parser


def command_parser(name: str) -> Parser:
    """The arguments of one of `COMMANDS`."""
    parser = _parser(f"hangtui {name}", *help_texts.COMMANDS[name])
    _ARGUMENTS[name](parser)
    return parser


def _parser(prog: str, description: str, epilog: str) -> Parser:
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


# -- the commands ---------------------------------------------------------------------------------


def _dump(parser: Parser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*")
    _add_parent(parser)
    _add_sysroot(parser)
    form = parser.add_mutually_exclusive_group()
    for name, text in (
        ("json", "one JSON object"),
        ("md", "Markdown for an issue"),
        ("svg", "a picture of the report"),
        ("mermaid", "the waits as a drawing for Mermaid"),
        ("dot", "the waits as a drawing for Graphviz"),
    ):
        form.add_argument(f"--{name}", action="store_true", help=f"print {text}")
    parser.add_argument("-o", "--output", metavar="FILE", help="write into FILE")
    parser.add_argument(
        "--within",
        metavar="TIME",
        help="5s, 1m: print what is known by then, on a machine that is too busy to wait for",
    )
    _add_choice(parser)
    _add_capture_options(parser)


def _record(parser: Parser) -> None:
    parser.add_argument("targets", metavar="PID", nargs="*")
    parser.add_argument("--all", action="store_true", help="all Python processes")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the file to write: x.hang"
    )
    parser.add_argument(
        "--times", metavar="N", type=int, default=1, help="how many captures: x-1.hang, ..."
    )
    parser.add_argument(
        "--every", metavar="S", type=float, default=2.0, help="seconds between them (default: 2)"
    )
    _add_capture_options(parser)


def _gather(parser: Parser) -> None:
    parser.add_argument("carrier", choices=GATHERED_BY, metavar="|".join(GATHERED_BY))
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="hosts, jobs, containers, a selector of pods, the address of a scheduler, PIDs",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write x.hang (default: open the screens)"
    )
    parser.add_argument(
        "--within", metavar="TIME", default="1m", help="leave out who has not answered (default 1m)"
    )
    parser.add_argument(
        "--at-once", metavar="N", type=int, default=8, help="how many to ask at once (default: 8)"
    )
    parser.add_argument("-n", "--namespace", metavar="NAME", help="of the pods")
    parser.add_argument("--python", metavar="FILE", help="an interpreter that has dask or ray")
    parser.add_argument("--sudo", action="store_true", help="run hangtui there by sudo -n")
    parser.add_argument(
        "--carry",
        metavar="FILE",
        help="a .tar.gz of script/portable for places without hangtui; removed there afterwards",
    )
    _add_native(parser)
    _add_screen_options(parser)


def _open(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+")
    _add_sysroot(parser)
    _add_screen_options(parser)


def _check(parser: Parser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*")
    parser.add_argument("--all", action="store_true", help="all Python processes")
    _add_parent(parser)
    _add_json(parser)
    looks = parser.add_argument_group("what counts, and for how long to look")
    looks.add_argument(
        "--seconds",
        metavar="T",
        type=float,
        default=2.0,
        help="how long to watch live processes (default: 2)",
    )
    looks.add_argument(
        "--looks", metavar="N", type=int, default=5, help="how many looks in that time (default: 5)"
    )
    looks.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        choices=("error", "warning"),
        default="error",
        help="exit with 1 from this severity on: error (default), warning",
    )
    _add_choice(looks)
    _add_sysroot(parser)
    _add_capture_options(parser)


def _run(parser: Parser) -> None:
    parser.usage = "hangtui run [--hang-after TIME] [-o FILE] [--core FILE] [--no-open] -- CMD..."
    parser.add_argument("--hang-after", metavar="TIME", help="30s, 5m: capture a hang too")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: x.hang")
    parser.add_argument("--core", metavar="FILE", help="also write a core file of the crash")
    parser.add_argument("--no-open", action="store_true", help="do not open the screens at the end")
    parser.add_argument("command", metavar="CMD", nargs=argparse.REMAINDER)


def _watch(parser: Parser) -> None:
    parser.add_argument("pids", metavar="PID", nargs="+")
    _add_children(parser)
    parser.add_argument(
        "--hang-after", metavar="TIME", default="5m", help="default: 5m; never: crashes only"
    )
    parser.add_argument(
        "-d", "--directory", metavar="DIR", default=".", help="where captures go (default: here)"
    )
    parser.add_argument(
        "--keep", metavar="N", type=int, default=20, help="captures kept there (default: 20)"
    )
    for name in ("hang", "crash"):
        parser.add_argument(
            f"--on-{name}",
            metavar="CMD",
            help=f"run CMD by the shell for each {name}, with the finding as JSON on its input",
        )
    parser.add_argument(
        "--on-limit", metavar="TIME", default="5m", help="end CMD after that time (default: 5m)"
    )
    _add_choice(parser)


def _doctor(parser: Parser) -> None:
    parser.add_argument("pid", metavar="PID", nargs="?", help="default: all Python")
    _add_json(parser)


def _serve(parser: Parser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*", help="default: all Python")
    parser.add_argument("--port", type=int, default=8042, help="0: any free one (default: 8042)")
    _add_children(parser)
    _add_console(parser)
    parser.add_argument(
        "--allow-stop",
        action="store_true",
        help="let the browser stop processes: for a copy (registers, C variables, code; some"
        " milliseconds), by A (30 s at a time), for a core file",
    )


_ARGUMENTS = {
    "dump": _dump,
    "record": _record,
    "gather": _gather,
    "open": _open,
    "check": _check,
    "run": _run,
    "watch": _watch,
    "doctor": _doctor,
    "serve": _serve,
}


# -- arguments of several commands ----------------------------------------------------------------


def _add_choice(parser: argparse._ActionsContainer) -> None:
    for name, text in (("allow", "does not count"), ("only", "alone counts")):
        parser.add_argument(
            f"--{name}",
            metavar="ID",
            action="append",
            default=[],
            help=f"a finding with this id {text}; may be repeated",
        )


def _add_parent(parser: Parser) -> None:
    parser.add_argument(
        "--parent", action="store_true", help="the Python process that started this command"
    )


def _add_children(parser: Parser) -> None:
    parser.add_argument(
        "--children", action="store_true", help="also all processes that they started"
    )


def _add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_sysroot(parser: Parser) -> None:
    parser.add_argument(
        "--sysroot",
        metavar="DIR",
        help="where the files of the core's machine are (default: here)",
    )


def _add_screen_options(parser: Parser) -> None:
    parser.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    parser.add_argument(
        "--theme",
        choices=THEMES,
        help="colours (default: $HANGTUI_THEME, else the terminal's own)",
    )
    parser.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal, for its selection"
    )
    _add_console(parser)
    for name in ("--served", "--allow-stop"):  # what `hangtui serve` says to those that it starts
        parser.add_argument(name, action="store_true", help=argparse.SUPPRESS)


def _add_console(parser: Parser) -> None:
    parser.add_argument(
        "--allow-console",
        action="store_true",
        help="let gdb's console (P) do anything: a shell as you, which can change the process, and"
        " not only look",
    )


def _add_capture_options(parser: Parser) -> None:
    _add_children(parser)
    _add_native(parser)


def _add_native(parser: Parser) -> None:
    parser.add_argument(
        "--native",
        choices=[mode.value for mode in NativeMode],
        default=NativeMode.AUTO.value,
        help="native stacks: auto reads them from memory and stops nothing; stop holds threads "
        "that run for about a millisecond; gdb copies all threads, which stops them for some "
        "milliseconds, and adds source lines and inlined functions; none",
    )
