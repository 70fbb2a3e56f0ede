"""Runs the command that was typed, and turns every way to end into an exit code."""

import argparse
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module

from hangtui.cli import output, parsers
from hangtui.model import HangtuiError, UsageError, clean

EXIT_FAILED = 2
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hangtui``; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        run, args = _command(words)
        _tidy_up()  # while what was started loads
        code = run(args)
    except SystemExit as stop:  # --help, a signal
        code = stop.code if isinstance(stop.code, int) else 0
    except HangtuiError as error:
        output.complain(error)
        code = EXIT_FAILED
    except output.OutputClosedError:
        code = output.EXIT_PIPE
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception as error:  # noqa: BLE001  Python's own exit code would say "deadlock found"
        code = _failed(error)
    return output.finish(code)


def _command(words: list[str]) -> tuple[Callable[[argparse.Namespace], int], argparse.Namespace]:
    """What to run, and with which arguments."""
    if not words or words[0] not in parsers.COMMANDS:
        args = parsers.main_parser().parse_intermixed_args(words)
        if args.version:
            from hangtui.cli import version

            return version.run, args
        if args.json:
            pids = " ".join(map(clean, args.targets)) or "PID"
            raise UsageError("the screens are no JSON", f"hangtui dump --json {pids}")
        for word in args.targets:
            _require_process(word)
        from hangtui.cli.screens import run_live

        return run_live, args
    name, *rest = words
    parser = parsers.command_parser(name)
    # What follows the command to run belongs to that command, and so on.
    as_they_stand = name in ("run", "demo", "completion")
    args = parser.parse_args(rest) if as_they_stand else parser.parse_intermixed_args(rest)
    if name == "open":
        from hangtui.cli.screens import run_open

        return run_open, args
    return import_module(f"hangtui.cli.{name}").run, args


def _tidy_up() -> None:
    """Remove what earlier ones left who were killed with all that tidies up after them."""
    from hangtui.backends.tools import scratch

    scratch.clear()


def _require_process(word: str) -> None:
    """A command in the wrong place, and a file, are no names of processes."""
    if word in parsers.COMMANDS:
        raise UsageError("the command comes first", f"hangtui {word} ...")
    if word.endswith(".hang"):
        raise UsageError(f"{clean(word)!r} is not a PID", f"hangtui open {clean(word)}")


def _failed(error: Exception) -> int:
    for line in "".join(traceback.format_exception(error)).splitlines():
        output.say(line)
    output.say("hangtui: a bug in hangtui; please report it with the lines above")
    return EXIT_FAILED
