"""Whether gdb can find the value of an expression by reading alone.

gdb's settings keep it from writing and calling as well; this says it before gdb is asked, and in
words. The language of an expression is that of the frame, which the target names: what assigns or
calls in any of gdb's languages is refused in all of them.
"""

import re

from hangtui.dataclass import dataclass

_TOKEN = re.compile(
    r"""(?P<number>\.?[0-9][A-Za-z0-9_.]*)
      | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<quoted>'(?:[^'\\]|\\.)*')
      | (?P<sign><<=|>>=|->\*|\+\+|--|->|::|<=|>=|==|!=|&&|\|\||<<|>>|[-+*/%&|^]=
          |[-+*/%&|^!~<>=?:.,@()\[\]{}])
      | (?P<blank>[ ]+)""",
    re.VERBOSE,
)
_ASSIGNING = frozenset("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())
_ASSIGNING_WORDS = frozenset({"and_eq", "or_eq", "xor_eq"})
"""C++ has words for ``&=``, ``|=`` and ``^=``, and gdb knows them."""
_CALLING_WORDS = frozenset({"operator", "new", "delete"})
"""``operator+ (a, b)`` has no name before its parenthesis."""
_OPERATORS = frozenset("sizeof alignof _alignof".split())
"""Words that are followed by parentheses and call nothing."""
_CASTS = frozenset("static_cast reinterpret_cast dynamic_cast const_cast".split())
_FUNCTIONS = frozenset("$_strlen $_streq $_regex $_memeq $_isvoid $_as_string".split())
"""gdb's own functions that only compare what was read; ``$_shell`` is one, too, and is not here."""
_TYPES = frozenset(
    "void char short int long float double signed unsigned bool _bool size_t const volatile"
    " struct union enum class".split()
)
_JOINING = _TYPES | {"as", "and", "or", "not", "xor", "bitand", "bitor", "compl", "mod", "div"}
"""Words that stand beside another one in types and operations; two names that do so are a message
to an object, in Objective-C."""
_PAIRS = {")": "(", "]": "[", "}": "{"}
_CALL = "nothing in the target is called"
_CHANGE = "nothing is assigned"
_MADE = "it would be made in the target's memory"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str

    @property
    def ends_operand(self) -> bool:
        """Whether a value can end here."""
        return self.kind != "sign" or self.text in ")]}"


def flaw(expression: str) -> str | None:
    """Why an expression is not given to gdb; None: it only reads.

    Whether an operator of a C++ class is a function of the target, only gdb can know; it may
    call none (``may-call-functions off``).
    """
    tokens: list[_Token] = []
    at = 0
    while at < len(expression):
        found = _TOKEN.match(expression, at)
        if found is None:
            return f"{expression[at]!r} has no place in an expression here"
        if found.lastgroup != "blank":
            tokens.append(_Token(str(found.lastgroup), found[0]))
        at = found.end()
    return _Reader(tokens).flaw()


class _Reader:
    """Goes through the tokens once, with the brackets that are open."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._open: list[tuple[int, bool]] = []
        """Where each bracket is, and whether it holds the arguments of one of `_FUNCTIONS`."""
        self._opened_by: dict[int, int] = {}
        """Where a bracket that is closed was opened."""

    def flaw(self) -> str | None:
        for index, token in enumerate(self._tokens):
            reason = self._at(index, token)
            if reason is not None:
                return reason
        return "a bracket is not closed" if self._open else None

    def _at(self, index: int, token: _Token) -> str | None:
        before = self._tokens[index - 1] if index else None
        return self._word(token, before) or self._bracket(index, token.text, before)

    def _word(self, token: _Token, before: _Token | None) -> str | None:
        """What is wrong with a token, whatever brackets do."""
        word = token.text.lower()
        if word in _ASSIGNING or word in _ASSIGNING_WORDS:
            return f"{token.text} would change something: {_CHANGE}"
        if word in _CALLING_WORDS:
            return f"{token.text} would call something: {_CALL}"
        if token.kind == "string" and not any(arguments for _, arguments in self._open):
            return f"{token.text} is a string: {_MADE}"
        if before is None or not token.kind == before.kind == "word":
            return None
        beside = {word, before.text.lower()} & _JOINING
        return None if beside else f"{before.text} {token.text} would be a call: {_CALL}"

    def _bracket(self, index: int, text: str, before: _Token | None) -> str | None:
        if text == "(":
            return self._parenthesis(index, before)
        if text == "[" and not self._is_index(before):
            return f"[ would be a call: {_CALL}"
        if text == "{" and not self._is_type_in_braces(index, before):
            return f"{{ is no type: {_MADE}"
        if text in ("[", "{"):
            self._open.append((index, False))
        return self._close(index, text) if text in _PAIRS else None

    def _close(self, index: int, text: str) -> str | None:
        if not self._open or self._tokens[self._open[-1][0]].text != _PAIRS[text]:
            return f"{text} closes nothing"
        self._opened_by[index] = self._open.pop()[0]
        return None

    def _parenthesis(self, index: int, before: _Token | None) -> str | None:
        is_function = before is not None and before.text in _FUNCTIONS
        self._open.append((index, is_function))
        if before is None or is_function:
            return None
        if before.text in (">", ">>"):
            return None if self._ends_cast(index - 1) else f">(...) would be a call: {_CALL}"
        if not before.ends_operand or before.text.lower() in _OPERATORS:
            return None
        if before.text == "}" or (before.text == ")" and self._is_type(index - 1)):
            return None
        if before.kind == "word" and self._is_pointer_only(index):
            return None
        return f"{before.text}(...) would be a call: {_CALL}"

    def _is_index(self, before: _Token | None) -> bool:
        return (
            before is not None
            and before.ends_operand
            and before.text != "}"
            and before.text.lower() not in _OPERATORS
        )

    def _is_pointer_only(self, index: int) -> bool:
        """``(*)``: a pointer to a function, in a type."""
        inside = self._tokens[index + 1 : index + 4]
        stars = [token.text for token in inside]
        return stars[:2] == ["*", ")"] or stars == ["*", "*", ")"]

    def _is_type(self, closed: int) -> bool:
        """Whether what the parenthesis that ends at *closed* holds can be nothing but a type."""
        inside = self._tokens[self._opened_by[closed] + 1 : closed]
        if not inside:
            return False
        if inside[-1].text in ("*", "&", "&&"):
            return True
        words = [token.text.lower() for token in inside]
        if len(words) == 2 and words[0] in ("struct", "union", "enum", "class"):
            return inside[1].kind == "word"
        return all(word in _TYPES - {"size_t"} for word in words)

    def _ends_cast(self, last: int) -> bool:
        """Whether the ``>`` at *last* ends the type of a ``static_cast<...>``."""
        depth = 0
        for index in range(last, 0, -1):
            text = self._tokens[index].text
            depth += text.count(">") if text in (">", ">>") else 0
            depth -= text.count("<") if text in ("<", "<<") else 0
            if depth == 0:
                return self._tokens[index - 1].text in _CASTS
            if text in _PAIRS:
                return False
        return False

    def _is_type_in_braces(self, index: int, before: _Token | None) -> bool:
        """``{unsigned long} $rsp`` reads memory as that type."""
        if before is not None and before.ends_operand:
            return False
        for number, token in enumerate(self._tokens[index + 1 :]):
            if token.text == "}":
                return number > 0
            if token.kind != "word" and (number == 0 or token.text not in ("*", "::", "<", ">")):
                return False
            if token.text.startswith("$"):
                return False
        return False
