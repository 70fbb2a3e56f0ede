"""Reports for issues: complete, and inert whatever the target calls things."""

from hangtui.report.markdown import escaped, to_markdown
from tests.unit.factories import abba, capture, python_frame, thread


def test_it_says_what_why_and_what_to_try() -> None:
    text = to_markdown(abba())

    assert "### Error: Deadlock: worker\\-a" not in text  # a hyphen needs no escape
    assert "### Error: Deadlock: worker-a and worker-b" in text
    for part in ("**Why**", "**What to try**", "Rule: `deadlock`", "<details>", "bank.py:31"):
        assert part in text


def test_nothing_found_is_said() -> None:
    assert "Nothing wrong was found." in to_markdown(capture(thread("MainThread")))


def test_names_of_the_target_cannot_format_link_or_mention() -> None:
    evil = "[x](http://e) <img> `code` @all #1 **b**"
    one = thread(evil, 101, python=[python_frame("```\n# f", 1)])
    text = to_markdown(capture(one))

    assert evil not in text
    assert "<img>" not in text
    assert "```\n# f" not in text
    assert text.count("```") % 2 == 0


def test_escaping_shows_the_same_text() -> None:
    assert escaped("a*b_c<d>") == "a\\*b\\_c\\<d\\>"
    assert escaped("\x1b[31m") == "\ufffd\\[31m"
