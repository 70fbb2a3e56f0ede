"""What ``hangtui doctor`` prints."""

import json
import textwrap
from dataclasses import asdict

from hangtui.model.checkup import Check, Checkup
from hangtui.model.text import clean

SCHEMA = "hangtui.doctor/1"
_INDENT = 14


def to_text(checkup: Checkup, width: int = 100) -> str:
    """One line per ability, longer ones folded; fixes are never folded, so that they can be
    copied."""
    lines = [
        f"hangtui doctor: {checkup.title}",
        *textwrap.wrap(f"hangtui runs {checkup.place}, as {checkup.rights}", width),
        "",
    ]
    said: dict[str, str] = {}
    for check in checkup.checks:
        lines += _lines(check, width, said)
    return "\n".join(map(clean, lines)) + "\n"


def _lines(check: Check, width: int, said: dict[str, str]) -> list[str]:
    """*said*: which ability each fix was given for already."""
    head = f"  {check.ability.value:7}{'yes' if check.works else 'no':5}"
    reason = textwrap.wrap(
        check.reason, width, initial_indent=head, subsequent_indent=" " * _INDENT
    )
    if check.fix is None:
        return reason
    first = said.setdefault(check.fix, check.ability.value)
    fix = check.fix if first == check.ability.value else f"that for {first}"
    return [*reason, f"{'':{_INDENT}}fix: {fix}"]


def to_json(checkup: Checkup) -> str:
    """One object; its keys are those of `Checkup`, with ``schema`` and ``healthy``."""
    return json.dumps({"schema": SCHEMA, "healthy": checkup.healthy, **asdict(checkup)}, indent=2)
