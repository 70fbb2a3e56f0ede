"""What the interpreter's own C code does for a line of Python that takes long, in words."""

import re

from hangtui.analysis.frame_classifier import short_name
from hangtui.analysis.places import natives_until_python
from hangtui.dataclass import dataclass
from hangtui.model import Thread


@dataclass(frozen=True, slots=True)
class Work:
    """Something that one call of a built-in function does."""

    says: str
    """``matching a regular expression (re)``."""
    function: str
    """The C function that it was met in."""
    advice: str
    """What to do if it should be done by now."""


_BACKTRACKING = (
    "Look at the pattern and the text: a repetition inside of a repetition, as in (\\w+\\s?)*, can "
    "take twice as long for each character more. Make the alternatives exclude each other, use "
    "possessive quantifiers or atomic groups (3.11: \\w++, (?>...)), and bound the text. The re "
    "module keeps the GIL, so that no other thread runs meanwhile, and no signal is handled."
)
_SIZE = "Look at how large what it is given is, and bound that."
_DIGITS = "converting between a large integer and its digits"
_KNOWN = (
    (r"sre_(ucs[124]_)?(match|search|count|charset)\w*", "matching a regular expression (re)",
     _BACKTRACKING),
    (r"(k_mul|k_lopsided_mul|x_mul|x_divrem)",
     "computing with large integers", _SIZE),
    (r"(long_to_decimal_string|long_from_(string|binary|non_binary)_base)\w*", _DIGITS, _SIZE),
    (r"_?PyLong_(Format|FromString)\w*", _DIGITS, _SIZE),
    (r"(list_sort|binarysort|count_run|merge_(lo|hi|at|collapse)|gallop_(left|right))\w*",
     "sorting a list", _SIZE),
    (r"encoder_(listencode_\w+|call)", "encoding JSON", _SIZE),
    (r"(_parse_(array|object)|scan_once|_match_number)_unicode", "decoding JSON", _SIZE),
)  # fmt: skip
"""By the names of functions of CPython's own, as compilers keep them, but for a suffix."""
_PATTERNS = tuple((re.compile(pattern), says, advice) for pattern, says, advice in _KNOWN)


def work_of(thread: Thread) -> Work | None:
    """What a running thread without C code of others was sampled in, below its innermost line of
    Python; None: in nothing of which this tells."""
    if not thread.native_sampled:
        return None
    for frame in natives_until_python(thread):
        name = short_name(frame).partition(".")[0]
        for pattern, says, advice in _PATTERNS:
            if pattern.fullmatch(name):
                return Work(says, name, advice)
    return None
