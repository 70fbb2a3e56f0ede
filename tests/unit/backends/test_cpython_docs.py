"""What is told of a docstring."""

import pytest

from hangtui.backends.cpython.docs import in_short


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Acquire lock using spin-lock algorithm.", "Acquire lock using spin-lock algorithm"),
        ("\n    Take the next\n    item of it.\n\n    More.\n", "Take the next item of it"),
        ("Hold the ``name`` of :class:`~lib.Box`, as `x <y>`_.", "Hold the name of lib.Box, as x"),
        (
            "Return the status.\n\nIf it is not done yet, this will wait until it is.\n\n:param x:",
            "Return the status ... If it is not done yet, this will wait until it is",
        ),
        ("Return the next one. It blocks if there is none.",
         "Return the next one ... It blocks if there is none"),
        ("Wait for an item, e.g. A letter. Then go.", "Wait for an item, e.g. A letter"),
        ("Return it at once.\n\nSee wait() to wait for it.", "Return it at once"),
        ("Take it.\n\nParameters\n----------\ntimeout : how long to wait", None),
        ("Take a lot of it.\n\nArgs: how long it blocks.", "Take a lot of it"),
        (":param timeout: how long to wait", None),
        ("execute(sql[, parameters])", "execute(sql[, parameters])"),
        ("", None),
        ("   \n  ", None),
        ("Do \x1b[31mnot\x07 trust what it says.", "Do \ufffd[31mnot\ufffd trust what it says"),
    ],
)  # fmt: skip
def test_the_first_sentence_and_the_one_that_says_that_it_waits(
    text: str, told: str | None
) -> None:
    assert in_short(text) == told


def test_a_long_sentence_is_cut_at_a_word() -> None:
    told = in_short("word " * 200) or ""
    assert told.endswith("word ...")
    assert len(told) < 150


@pytest.mark.parametrize("text", ["`" * 1000, ":a" * 500, "A. " * 333, "e.g" * 333, ". " * 500])
def test_a_hostile_docstring_takes_no_time(text: str) -> None:
    assert len(in_short(text) or "") < 400
