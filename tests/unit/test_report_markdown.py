"""Reports for issues: complete, and inert whatever the target calls things."""

import html
import re

from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hangtui.diagnosis import diagnose
from hangtui.model import clean
from hangtui.report.markdown import escaped, to_markdown
from tests.unit.factories import abba, capture, python_frame, thread


def test_it_says_what_why_and_what_to_try() -> None:
    text = to_markdown(diagnose(abba()))

    assert "### Error: Deadlock: worker\\-a" not in text  # a hyphen needs no escape
    assert "### Error: Deadlock: worker-a and worker-b" in text
    for part in ("**Why**", "**What to try**", "Rule: `deadlock`", "<details>", "bank.py:31"):
        assert part in text


def test_nothing_found_is_said() -> None:
    assert "Nothing wrong was found." in to_markdown(diagnose(capture(thread("MainThread"))))


def test_names_of_the_target_cannot_format_link_or_mention() -> None:
    evil = "[x](http://e) <img> `code` @all #1 **b**"
    one = thread(evil, 101, python=[python_frame("```\n# f", 1)])
    text = to_markdown(diagnose(capture(one)))

    assert evil not in text
    assert "<img>" not in text
    assert "```\n# f" not in text
    assert text.count("```") % 2 == 0


def shown(markdown: str) -> str:
    """The text that a reader of rendered Markdown sees, without the spaces that have no width."""
    rules = ["strikethrough", "table"]
    (_, inline, _) = MarkdownIt("commonmark").enable(rules).parse(markdown)
    kinds = {child.type for child in inline.children or ()}
    assert kinds <= {"text", "text_special", "entity"}, markdown
    return "".join(child.content for child in inline.children or ()).replace("\u200b", "")


WORDS = st.sampled_from(
    ["a_b", "__init__", "_x", "f(x)", "[x](http://e)", "#12", "@bob", "<b>", "&amp;", "$x$", "`c`",
     "*b*", "~~s~~", "|", "---", "- i", "1. i", "123) i", "+", "=", "# h", "www.x.org", "\\", "!"]
)  # fmt: skip


@given(st.lists(st.one_of(WORDS, st.text(max_size=6)), min_size=1, max_size=6))
def test_escaping_shows_the_same_text(parts: list[str]) -> None:
    text = " ".join(clean(" ".join(parts)).replace("\u200b", "").split())
    assume(text)
    assert shown(escaped(text)) == text
    assert re.search(r"[@#]\w|://|www\.\w", html.unescape(escaped(text))) is None


def test_what_needs_no_escape_stays_readable() -> None:
    text = "worker-a waits in read_message (serial.so), called from main.py:29 (acquire)"
    assert escaped(text) == text
    assert escaped("\x1b[31m") == "\ufffd\\[31m"


def test_names_in_a_summary_are_html() -> None:
    text = to_markdown(diagnose(capture(thread("Thread_1 <b> & 'x'", 101))))
    assert "<summary>Thread_1 &lt;b&gt; &amp; 'x', TID 101</summary>" in text
