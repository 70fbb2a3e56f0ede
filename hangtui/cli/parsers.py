"""What can be typed: the arguments of ``hangtui`` and of its commands, and their help."""

import argparse
from typing import NoReturn

from hangtui import __version__
from hangtui.cli import catch_parsers, serve_parser
from hangtui.model import UsageError
from hangtui.provider import NativeMode

COMMANDS = ("dump", "record", "open", "check", "run", "watch", "doctor", "serve")

_MAIN = """\
Shows why a Python process hangs: who waits for whom, on which line, in Python and in the C under
it. It looks from outside; the process needs no preparation, and no code runs in it.

  hangtui                 all Python processes, full screen
  hangtui PID...          these processes, full screen

commands (each has --help):
  dump PID|FILE...        print a report, or JSON
  record PID... -o FILE   write a capture to a .hang file, to look at it later or elsewhere
  open FILE...            look at .hang files, core files and crash logs, full screen
  run -- CMD...           run a command, and capture its crash or its hang
  watch PID               wait beside a process for its crash or its hang
  check PID|FILE...       exit with 1 if it is hung: for probes and CI
  serve [PID|FILE]...     the screens in a browser on this machine, behind a token
  doctor [PID]            what works here, and the exact fix for what does not
"""

_MAIN_EXAMPLES = """\
examples:
  hangtui 4711                          look at one process
  hangtui --children 4711               and at all processes that it started
  hangtui dump 4711                     the report, in the shell
  hangtui dump --json 4711 | jq .findings
  hangtui record 4711 -o stuck.hang     keep the evidence, then restart the service
  hangtui open stuck.hang

On the screens, ? shows all keys and q quits. Another user's process needs root (sudo).
Results go to standard output, messages to standard error.
exit status: 0 done; 1 (check) it is hung; 2 wrong arguments, no permission, nothing to read;
130 interrupted.
"""

_DUMP = """\
Prints a report: what is wrong, who waits for whom, every thread with its Python and native stack.
The processes run on meanwhile. Any file that "hangtui open" takes works like a PID.
"""

_DUMP_EXAMPLES = """\
examples:
  hangtui dump 4711
  hangtui dump 4711 --children --json > stuck.json
  hangtui dump stuck.hang -o report.txt
  hangtui dump 4711 --md                Markdown, to paste into an issue
  hangtui dump --parent                 started by a Python program: looks at that one
  hangtui dump 4711 --native gdb        native stacks with source lines, from a copy

The JSON is one object with the keys schema, taken_at, host, tool, notices, processes, nodes,
edges, cycles, findings and crash. What could not be read, and how to get it, is in notices.
exit status: 0 something was captured; 2 nothing.
"""

_RECORD = """\
Writes all that can be known of the processes now into a file, readable by you only. It holds
stacks, names and command lines (with secrets masked), no environment and no variables.
"""

_RECORD_EXAMPLES = """\
example:
  hangtui record 4711 --children -o stuck.hang
  hangtui open stuck.hang
  hangtui record 4711 --times 5 -o stuck.hang    stuck-1.hang to stuck-5.hang
"""

_OPEN = """\
Looks at files on the same screens as at live processes: captures (.hang), core files (also packed
with gzip, zstd or lz4), logs of faulthandler, dumps of py-spy, and gdb's "thread apply all bt".
What kind a file is its content tells.
"""

_CHECK = """\
Says whether the processes are hung, and why: looks several times, so that what stands still can be
told from what is slow. For health probes and CI. Processes that those named wait for are looked at
too. Nothing is stopped.
"""

_CHECK_EXAMPLES = """\
examples:
  hangtui check "$(cat service.pid)" || systemctl restart service
  hangtui check --all --json | jq '.findings[] | {id, title}'
  hangtui check 1 --looks 1             a liveness probe in a container: one look, no waiting
  hangtui check 4711 --allow self-deadlock

exit status: 0 no finding of severity error (warnings and notes are printed); 1 at least one; 2 it
cannot be told, because the arguments are wrong or the process cannot be read.
"""


_DOCTOR = """\
Says what works on this machine, in this container, with this process: one line per ability, with
the reason and the exact fix where something does not. Nothing is changed.
"""

_DOCTOR_EXAMPLES = """\
examples:
  hangtui doctor
  hangtui doctor 4711
  hangtui doctor --json 4711 | jq '.checks[] | select(.works | not)'

exit status: 0 captures can be taken; 2 they cannot (list or memory says no), wrong arguments.
"""


class Parser(argparse.ArgumentParser):
    """Reports what is wrong with the arguments as a `UsageError`."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and exiting."""
        raise UsageError(message, f"{self.prog} --help")


_OPEN_EXAMPLES = """\
examples:
  hangtui open stuck.hang
  hangtui open stuck-*.hang             captures of the same process: { and } step through them
"""


def main_parser() -> Parser:
    """The arguments of ``hangtui`` without a command."""
    parser = _parser("hangtui", _MAIN, _MAIN_EXAMPLES)
    parser.usage = (
        "hangtui [--children] [--native auto|gdb|none] [--ascii] [--no-mouse] [PID ...]\n"
        "       hangtui dump|record|open|check|serve|doctor ..."
    )
    parser.add_argument("targets", metavar="PID", nargs="*", help="a process (default: all Python)")
    parser.add_argument("--version", action="version", version=f"hangtui {__version__}")
    _add_capture_options(parser)
    _add_screen_options(parser)
    return parser


def command_parser(name: str) -> Parser:
    """The arguments of one of `COMMANDS`."""
    match name:
        case "dump":
            parser = _parser("hangtui dump", _DUMP, _DUMP_EXAMPLES)
            parser.add_argument("targets", metavar="PID|FILE", nargs="*")
            _add_parent(parser)
            _add_file_options(parser)
            _add_forms(parser)
            parser.add_argument("-o", "--output", metavar="FILE", help="write into FILE")
            _add_capture_options(parser)
        case "record":
            parser = _parser("hangtui record", _RECORD, _RECORD_EXAMPLES)
            parser.add_argument("targets", metavar="PID", nargs="+")
            parser.add_argument(
                "-o", "--output", metavar="FILE", required=True, help="the file to write: x.hang"
            )
            _add_series(parser)
            _add_capture_options(parser)
        case "check":
            parser = _parser("hangtui check", _CHECK, _CHECK_EXAMPLES)
            parser.add_argument("targets", metavar="PID|FILE", nargs="*")
            parser.add_argument("--all", action="store_true", help="all Python processes")
            _add_parent(parser)
            parser.add_argument("--json", action="store_true", help="print one JSON object")
            _add_check_options(parser)
            _add_file_options(parser)
            _add_capture_options(parser)
        case "run" | "watch":
            parser = _parser(f"hangtui {name}", *catch_parsers.TEXTS[name])
            catch_parsers.add_options(parser, name)
        case "doctor":
            parser = _parser("hangtui doctor", _DOCTOR, _DOCTOR_EXAMPLES)
            parser.add_argument("pid", metavar="PID", nargs="?", help="default: all Python")
            parser.add_argument("--json", action="store_true", help="print one JSON object")
        case "serve":
            parser = _parser("hangtui serve", serve_parser.TEXT, serve_parser.EXAMPLES)
            serve_parser.add_options(parser)
        case _:
            parser = _parser("hangtui open", _OPEN, _OPEN_EXAMPLES)
            parser.add_argument("files", metavar="FILE", nargs="+")
            _add_file_options(parser)
            _add_screen_options(parser)
    return parser


def _parser(prog: str, description: str, epilog: str) -> Parser:
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_parent(parser: Parser) -> None:
    parser.add_argument(
        "--parent", action="store_true", help="the Python process that started this command"
    )


def _add_check_options(parser: Parser) -> None:
    looks = parser.add_argument_group("what counts, and for how long to look")
    looks.add_argument(
        "--seconds",
        metavar="T",
        type=float,
        default=2.0,
        help="watch live processes for so long (default: 2)",
    )
    looks.add_argument(
        "--looks", metavar="N", type=int, default=5, help="look so often meanwhile (default: 5)"
    )
    for name, text in (("allow", "does not count"), ("only", "alone counts")):
        looks.add_argument(
            f"--{name}",
            metavar="ID",
            action="append",
            default=[],
            help=f"a finding with this id {text}; may be repeated",
        )


def _add_series(parser: Parser) -> None:
    parser.add_argument(
        "--times", metavar="N", type=int, default=1, help="so many captures: x-1.hang, ..."
    )
    parser.add_argument(
        "--every", metavar="S", type=float, default=2.0, help="seconds between them (default: 2)"
    )


def _add_forms(parser: Parser) -> None:
    form = parser.add_mutually_exclusive_group()
    for name, text in (
        ("json", "one JSON object"),
        ("md", "Markdown for an issue"),
        ("svg", "a picture of the report"),
        ("mermaid", "the waits as a drawing for Mermaid"),
        ("dot", "the waits as a drawing for Graphviz"),
    ):
        form.add_argument(f"--{name}", action="store_true", help=f"print {text}")


def _add_file_options(parser: Parser) -> None:
    parser.add_argument(
        "--sysroot",
        metavar="DIR",
        help="where the files of the machine lie that wrote a core file (default: here)",
    )


def _add_screen_options(parser: Parser) -> None:
    parser.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    parser.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal, for its selection"
    )


def _add_capture_options(parser: Parser) -> None:
    parser.add_argument(
        "--children", action="store_true", help="also all processes that they started"
    )
    parser.add_argument(
        "--native",
        choices=[mode.value for mode in NativeMode],
        default=NativeMode.AUTO.value,
        help="native stacks: auto reads them from memory and stops nothing; stop holds threads "
        "that run for about a millisecond; gdb copies all threads, which stops them for some "
        "milliseconds, and adds source lines and inlined functions; none",
    )
