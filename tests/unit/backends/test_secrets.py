import pytest

from hangtui.backends.secrets import mask, mask_word


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
        (["-c", "login('Bearer abcdef')"], ["-c", "login('Bearer ***"]),
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


def test_a_huge_word_takes_no_time() -> None:
    assert mask_word("a:" * 30_000) == "a:" * 30_000
