"""What can be typed next: the candidates for the word that a shell completes, with a word on each.

Shells ask for them at each key press (``hangtui completion SHELL words ...``), so that options
and commands are those of the parsers, and processes those that run now.
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from hangtui.cli import help_texts, names, parsers
from hangtui.dataclass import dataclass
from hangtui.model import clean

_SAFE = re.compile(r"[\w.,@%+/:-]+", re.ASCII)
"""Names that no shell reads as anything but a word: some shells insert candidates as they are."""
_BREAKS = (":", "=")
"""What bash takes for a word of its own (``COMP_WORDBREAKS``)."""
_ABOUT = 90
"""Characters of what is said on a candidate."""
_TIMES = (("30s", "seconds"), ("5m", "minutes"), ("1h", "hours"))


class Rest(StrEnum):
    """What the shell adds of its own."""

    NOTHING = "nothing"
    FILES = "files"
    CAPTURES = "captures"
    """Files that end in ``.hang``, and folders; any files where there are none."""
    FOLDERS = "folders"
    COMMAND = "command"
    """What comes is a command line of its own."""


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer to a shell."""

    candidates: Sequence[tuple[str, str]] = ()
    """Words, and what they are."""
    rest: Rest = Rest.NOTHING
    begins: int = 0
    """Index of the word with which the command begins, of all after ``hangtui``."""

    def lines(self, cut: int = 0) -> Iterator[str]:
        """As the scripts of the shells read it: candidates without their first *cut* characters,
        then one line for the shell itself."""
        for word, about in self.candidates:
            yield f"{word[cut:]}\t{about}"
        yield f":{self.rest} {self.begins}"


def joined(words: Sequence[str]) -> tuple[list[str], int]:
    """Words of bash as they were typed, and how much of the last one it keeps in any case."""
    found: list[str] = []
    glued = False
    for word in words:
        is_break = word != "" and all(character in _BREAKS for character in word)
        if found and (glued or is_break):
            found[-1] += word
        else:
            found.append(word)
        glued = is_break
    last = words[-1] if words else ""
    kept = found[-1] if glued else found[-1].removesuffix(last) if found else ""
    return found, len(kept)


def completion(words: Sequence[str]) -> Completion:
    """What the last of *words* may become; they are all that follow ``hangtui``."""
    *before, current = words or ("",)
    name = before[0] if before and before[0] in parsers.COMMANDS else None
    parser = parsers.command_parser(name) if name else parsers.main_parser()
    line = _Line(parser)
    for number, word in enumerate(before[1:] if name else before):
        line.read(word)
        if name == "run" and line.count:
            return Completion(rest=Rest.COMMAND, begins=1 + number)
    if line.option is not None:
        return _value(line.option, current)
    if name == "run" and (line.only_words or not current.startswith("-")):
        return Completion(rest=Rest.COMMAND, begins=len(before))
    if line.only_words:
        return _positional(line, current, name)
    option, equals, value = current.partition("=")
    if equals and option in line.options:
        found = _value(line.options[option], value)
        return Completion([(f"{option}={word}", text) for word, text in found.candidates])
    if current.startswith("-"):
        given = line.options.items()
        return Completion(_starting(current, [(word, _about(one)) for word, one in given]))
    return _positional(line, current, name)


@dataclass(slots=True)
class _Line:
    """What is known of a command line after some of its words."""

    parser: argparse.ArgumentParser
    options: Mapping[str, argparse.Action] = field(init=False)
    option: argparse.Action | None = None
    """The one whose value comes next."""
    count: int = 0
    """How many words belonged to no option."""
    only_words: bool = False
    """``--`` was there."""

    def __post_init__(self) -> None:
        self.options = {
            word: action
            for action in self.parser._actions  # noqa: SLF001  argparse has no other way to them
            if action.help != argparse.SUPPRESS
            for word in action.option_strings
        }

    def read(self, word: str) -> None:
        """Go on by one word."""
        if self.option is not None:
            self.option = None
        elif self.only_words or not word.startswith("-") or word == "-":
            self.count += 1
        elif word == "--":
            self.only_words = True
        else:
            option = self.options.get(word)
            self.option = option if option is not None and option.nargs is None else None

    def positional(self) -> argparse.Action | None:
        """The argument that the next word is."""
        actions = [one for one in self.parser._actions if not one.option_strings]  # noqa: SLF001
        if self.count < len(actions):
            return actions[self.count]
        return actions[-1] if actions and actions[-1].nargs in ("*", "+") else None


def _positional(line: _Line, current: str, name: str | None) -> Completion:
    action = line.positional()
    if action is None:
        return Completion()
    found = _value(action, current)
    if name is None and line.count == 0:
        commands = [(one, text) for one, (_, text) in help_texts.SUMMARIES.items()]
        return Completion([*_starting(current, commands), *found.candidates], found.rest)
    return found


def _value(action: argparse.Action, current: str) -> Completion:
    """What may stand for an argument, by its choices or the word that help shows for it."""
    if action.choices is not None:
        return Completion(_starting(current, [(str(one), "") for one in action.choices]))
    kinds = str(action.metavar).split("|")
    candidates: list[tuple[str, str]] = []
    rest = Rest.NOTHING
    for kind in kinds:
        if kind == "PID":
            candidates += _processes(current)
        elif kind == "ID":
            candidates += _findings()
        elif kind == "TIME":
            candidates += _TIMES
        elif kind == "FILE":
            rest = Rest.FILES if action.option_strings else Rest.CAPTURES
        elif kind == "DIR":
            rest = Rest.FOLDERS
    return Completion(_starting(current, candidates), rest)


def _starting(current: str, words: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(word, about) for word, about in words if word.startswith(current)]


def _about(action: argparse.Action) -> str:
    """The beginning of an option's help."""
    return clean(" ".join((action.help or "").split()).replace("%%", "%"), _ABOUT)


def _processes(current: str) -> list[tuple[str, str]]:
    """PIDs with their names; names with their PIDs, where one has been begun."""
    running = sorted(names.running())
    if not current or current.isdecimal():
        return [(str(pid), clean(called[0], _ABOUT)) for pid, called in running]
    pids: dict[str, list[int]] = {}
    for pid, called in running:
        for name in called:
            if _SAFE.fullmatch(name) and not name.startswith("-"):
                pids.setdefault(name, []).append(pid)
    return [(name, ", ".join(map(str, found))) for name, found in pids.items()]


def _findings() -> list[tuple[str, str]]:
    from hangtui import findings

    return [(one, "") for one in findings.ids()]
