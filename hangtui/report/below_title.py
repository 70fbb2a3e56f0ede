"""What a report prints below the title of a finding, without saying the same twice."""

from hangtui.model import Finding


def below_title(finding: Finding) -> str:
    """The sentence of *finding*; if it begins with the whole title, the rest of it. May be empty.

    A title stands alone in lists, and a sentence in files, so each says everything; below each
    other they are read as one text.
    """
    title = f"{finding.title}."
    return finding.sentence.removeprefix(f"{title} ") if finding.sentence != title else ""
