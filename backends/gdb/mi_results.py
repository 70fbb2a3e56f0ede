"""Whether an answer of gdb has the shape of its machine interface, in time linear in its length."""

import re

_MAX_DEPTH = 100
"""Lists in lists: gdb's go to 4, and what parses them afterwards calls itself for each."""
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?P<end>"|\\?\Z)')
_START = re.compile(r"\d*+\^[a-z-]++")
_TOKEN = re.compile(r'(?P<name>[\w-]++=)?+(?P<value>""|[{\[])|(?P<other>[}\],])')
_CLOSING = {"{": "}", "[": "]"}


def is_well_formed(text: str) -> bool:
    """Whether *text* is a whole result record: pygdbmi never returns from some damaged ones."""
    strings_end = True

    def emptied(found: re.Match[str]) -> str:
        nonlocal strings_end
        strings_end = strings_end and found["end"] == '"'
        return '""'

    text = _STRING.sub(emptied, text)
    start = _START.match(text)
    return strings_end and start is not None and _are_results(text, start.end())


def _are_results(text: str, at: int) -> bool:
    """Whether the rest of *text*, whose strings are empty, is ``,name=value`` again and again."""
    opened: list[str] = []
    after_value, after_opening = True, False
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return False
        at = token.end()
        value, other = token["value"], token["other"]
        if value is not None:
            if after_value or (token["name"] is None and opened[-1:] != ["["]):
                return False
            after_value, after_opening = value == '""', value != '""'
            if after_opening:
                opened.append(value)
        elif other == ",":
            if not after_value:
                return False
            after_value = after_opening = False
        elif not opened or other != _CLOSING[opened.pop()] or not (after_value or after_opening):
            return False
        else:
            after_value, after_opening = True, False
        if len(opened) > _MAX_DEPTH:
            return False
    return after_value and not opened
