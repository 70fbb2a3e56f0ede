import shlex

import pytest

from hangtui.backends.procfs.secrets import mask, mask_word
from hangtui.backends.procfs.secrets.lines import TEXT, WORD, WORDS


@pytest.mark.parametrize(
    ("words", "masked"),
    [
        (["--password=hunter2"], ["--password=***"]),
        (["--password", "hunter2", "run"], ["--password", "***", "run"]),
        (["--db-password", "-x9fU3k_"], ["--db-password", "***"]),
        (["--token", "--verbose"], ["--token", "--verbose"]),
        (["-e", "AWS_SECRET_ACCESS_KEY=a b=c"], ["-e", "AWS_SECRET_ACCESS_KEY=***"]),
        (["KEY=abc"], ["KEY=***"]),
        (["--apiKey=abc"], ["--apiKey=***"]),
        (["postgres://ann:s3c@ret@db:5432/x"], ["postgres://ann:***@db:5432/x"]),
        (["redis://:s3cret@cache/0"], ["redis://:***@cache/0"]),
        (["git+https://ghp_0123456789abcdefghijABCDEFGHIJ012345@x.org/r"],
         ["git+https://***@x.org/r"]),
        (["https://x.org/?a=1&access_token=abc&b=2"], ["https://x.org/?a=1&access_token=***&b=2"]),
        (["host=db user=ann password='a b' port=1"], ["host=db user=ann password=*** port=1"]),
        (['{"user": "ann", "password": "abc"}'], ['{"user": "ann", "password": ***}']),
        (["-H", "Authorization: Bearer abc.def"], ["-H", "Authorization: ***"]),
        (["-c", "login('Bearer abcdef')"], ["-c", "login('Bearer ***')"]),
        (["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"], ["***"]),
    ],
)  # fmt: skip
def test_secrets_are_masked(words: list[str], masked: list[str]) -> None:
    assert mask(words) == tuple(masked)


@pytest.mark.parametrize(
    "words",
    [
        ["python", "-m", "http.server", "8000", "--bind", "127.0.0.1"],
        ["--key-file", "/etc/app.key"],
        ["--token-path=/run/token"],
        ["--tokenizer", "bert"],
        ["--monkey=1", "--keyboard", "us", "--author", "ann"],
        ["ssh://git@host/repo"],
        ["https://x.org:8443/a@b"],
        ["--passes", "3"],
        [""],
    ],
)
def test_ordinary_words_stay(words: list[str]) -> None:
    assert mask(words) == tuple(words)


def test_a_huge_word_is_cut() -> None:
    assert mask_word("a:" * 30_000) == "a:" * (WORD // 2) + "…"


@pytest.mark.parametrize("start", ["x://user:", "--password=", '{"password": "', "app?token="])
@pytest.mark.parametrize("length", [WORD - 5, WORD + 5, 2 * WORD - 20, 3 * WORD])
def test_no_cut_reveals_what_would_have_been_masked(start: str, length: int) -> None:
    for word in (start + "hunter" * (length // 6) + "@host", f"x={start}" + "hunter" * 9999):
        assert "hunterhunter" not in mask_word(word)


@pytest.mark.parametrize("front", [0, WORD - 30, 2 * WORD - 30])
def test_a_secret_at_the_cut_is_masked(front: int) -> None:
    for secret in ("x://ann:hunter2x@host/", '"password": "hunter2x"', "ghp_" + "hunter2x" * 4):
        assert "hunt" not in mask_word("-" * front + " " + secret)


def test_only_so_many_words_are_shown() -> None:
    assert mask(["a"] * 100_000) == ("a",) * WORDS + ("… 99,000 more words",)
    assert mask(["b" * TEXT] * 100_000)[-1] == "… 99,992 more words"


def test_shells_in_shells_are_taken_apart_to_a_bounded_depth() -> None:
    line = "mysql -phunter2x"
    for _ in range(3):
        line = shlex.join(["sh", "-c", line])
    assert "hunter2x" not in mask_word(line)
    assert len(mask_word("sh -c '" * 5000)) <= WORD + 1
