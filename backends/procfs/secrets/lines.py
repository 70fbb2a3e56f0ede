"""Which words of a command line are secrets, by those before them; bounded in words and length."""

import re
from collections.abc import Iterable

from hangtui.backends.procfs.secrets.names import is_harmless, names_secret
from hangtui.backends.procfs.secrets.programs import RULES, SHELLS, Rule
from hangtui.backends.procfs.secrets.shell import each_word
from hangtui.backends.procfs.secrets.texts import MASK, mask_text, mask_whole
from hangtui.dataclass import dataclass

WORDS = 1000
"""So many words of a command line are shown, the others counted."""
TEXT = 64 * 1024
"""So many characters of all of them are looked at, so that no process makes others wait."""
WORD = 4096
"""So many characters of a word are shown."""
_READ = 2 * WORD
"""So many of them are looked at: what is shown was masked with what follows it."""
_DEPTH = 4
"""A shell in a shell in a shell: so often a text is taken apart."""
_RULES = 8
"""So many rules of programs before are remembered: ``sudo env sshpass -p X ssh``."""

_COMMAND = re.compile(r"-[a-zA-Z]{0,5}c")
_SHORT = re.compile(r"-[A-Za-z]{2,6}")


def mask(words: Iterable[str]) -> tuple[str, ...]:
    """*words* of a command line, with ``***`` for what looks like a secret.

    At most ``WORDS`` of them and ``TEXT`` characters; a last word says how many more there are.
    """
    line = _Line(depth=0)
    result: list[str] = []
    left = TEXT
    words = list(words)
    for word in words:
        if len(result) == WORDS or left <= 0:
            result.append(f"… {len(words) - len(result):,} more words")
            break
        left -= min(len(word), _READ)
        result.append(line.shown(word))
    return tuple(result)


def mask_word(word: str) -> str:
    """One text, with ``***`` for each secret inside it, at most ``WORD`` characters."""
    return _Line(depth=0).shown(word)


@dataclass(slots=True)
class _Active:
    """A rule of a program that was named on this line, and what came since."""

    rule: Rule
    behind: bool
    """Whether the program's command that the rule is about was named, too."""
    operands: int = 0
    """How many words that are no options."""
    sure: int = 0
    """Of them, how many cannot be the value of an option."""

    def is_secret(self, previous: str, *, after_option: bool) -> bool:
        """Whether the next word, which is no option, is one."""
        rule = self.rule
        self.operands += 1
        self.sure += not after_option
        if self.operands in rule.operands:
            return True
        if after_option:
            return False
        named = rule.names and names_secret(previous)
        return named or self.sure in rule.operands or previous in rule.values


class _Line:
    """Reads one command line from the left to the right."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._active: list[_Active] = []
        self._shell = False
        self._previous = ""
        self._follows: str | None = None
        """The separator before the secret in the next word, "" if it is one; else None."""

    def shown(self, word: str) -> str:
        """The next word, masked."""
        if len(word) <= _READ:
            return self._shown(word)
        # What was cut off could end a password before a host.
        return self._shown(word[:_READ] + "@")[:WORD] + "…"

    def _shown(self, word: str) -> str:
        follows, self._follows = self._follows, None
        previous, self._previous = self._previous, word
        if follows is not None and not _is_option(word):
            secret = _pair(word, follows)
            if secret is not None:
                return secret
        if word.startswith(("-", "/")) and (option := self._option(word)) is not None:
            return option
        if not word.startswith("-") and (operand := self._operand(word, previous)) is not None:
            return operand
        is_text = self._shell and _COMMAND.fullmatch(previous) is not None
        if not is_text and (whole := mask_whole(word)) is not None:
            return whole
        word = mask_text(word)
        if self._depth < _DEPTH and any(map(str.isspace, word)):
            return each_word(word, lambda: _Line(self._depth + 1).shown)
        return word

    def _option(self, word: str) -> str | None:
        """An option with a secret in it, masked; notes whether the next word is one."""
        name, equals, value = word.partition("=")
        for active in self._active:
            rule = active.rule
            active.behind = active.behind or word in rule.commands
            if not active.behind:
                continue
            separator = _separator_after(name, rule)
            if separator is not None and equals:
                return f"{name}={_pair(value, separator) or value}"
            if separator is not None:
                self._follows = separator
            elif (glued := _glued(word, rule)) is not None:
                return glued
        if self._follows is None and word.startswith("-") and not equals and names_secret(word):
            self._follows = ""
        return None

    def _operand(self, word: str, previous: str) -> str | None:
        """A word that is no option, masked if it is a secret; notes programs and commands."""
        result = None
        after_option = previous.startswith("-") and previous != "--"
        for active in self._active:
            if not active.behind:
                active.behind = word in active.rule.commands
            elif active.is_secret(previous, after_option=after_option):
                separator = "" if active.rule.separator == ":" else active.rule.separator
                result = _pair(word, separator) or result
        if result is None and not after_option:
            self._note_program(word)
        return result

    def _note_program(self, word: str) -> None:
        name = word.rsplit("/", 1)[-1].removesuffix(".exe")
        self._shell = self._shell or name in SHELLS
        if name in RULES:
            rules = [_Active(rule, behind=not rule.commands) for rule in RULES[name]]
            self._active = [*self._active[-_RULES:], *rules]


def _separator_after(option: str, rule: Rule) -> str | None:
    """What is between user and secret in the next word, "" if it is a secret, None if it is not."""
    if option in rule.values:
        return ""
    bundled = _SHORT.fullmatch(option) and f"-{option[-1]}" in rule.pairs  # curl -sSu USER:SECRET
    return rule.separator if bundled or option in rule.pairs else None


def _pair(word: str, separator: str) -> str | None:
    """A secret after a separator, masked; None if there is none."""
    if not separator:
        return None if is_harmless(word) else MASK
    user, found, secret = word.partition(separator)
    return f"{user}{separator}{MASK}" if found and not is_harmless(secret) else None


def _glued(word: str, rule: Rule) -> str | None:
    """An option with its secret directly behind it, masked."""
    if word.startswith("--"):
        return None
    for option in rule.glued:
        if word.startswith(option) and not is_harmless(word[len(option) :]):
            return option + MASK
    if word[:2] in rule.pairs and rule.separator in word:
        return _pair(word, rule.separator)
    return None


def _is_option(word: str) -> bool:
    # A single dash may begin a token, as in base64url; a short or a long option does not look so.
    return word.startswith("--") or (word.startswith("-") and len(word) <= 2)
