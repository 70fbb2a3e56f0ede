import re

TITLE = re.compile(r"^(?:[A-Z][a-z]*[ -]?|[a-z]+ ?)+[.!?]$")


def is_title(line):
    return bool(TITLE.match(line.strip()))
