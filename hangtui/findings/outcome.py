"""What a rule returns."""

from collections.abc import Sequence

from hangtui.dataclass import dataclass
from hangtui.model import Finding


@dataclass(frozen=True, slots=True)
class NotEnough:
    """A rule could not judge: a fact that it needs is missing in this capture."""

    reason: str


Result = Sequence[Finding] | NotEnough
