"""What has the shape of gdb's answers, and what only looks so."""

import time

import pytest

from hangtui.backends.gdb.mi_results import is_well_formed


@pytest.mark.parametrize(
    "text",
    [
        "^done",
        "12^running",
        '3^error,msg="No symbol \\"x\\" in current context."',
        '^done,threads=[{id="1",frame={level="0",args=[]}},{id="2"}],current="1"',
        '^done,stack=[frame={level="0",func="f{[,"},frame={}]',
        '^done,a=["1","2"],b={c=[]}',
        '^done,a="\\\\"',
    ],
)
def test_answers_of_gdb(text: str) -> None:
    assert is_well_formed(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "done", "^", "^done,", "^done,a", '^done,"1"', '^done,a="1', '^done,a="1\\',
        '^done,a={"1"}', '^done,a=[b="1"', '^done,a={b="1"]', '^done,a={b="1",}', "^done,a=[,]",
        '^done,a="1"b', '^done,a=["1""2"]', "^done,a=[]]", '^done{a="1"}', '^done,a={b="1"}{}',
        '^done,a=="1"',
    ],
)  # fmt: skip
def test_damaged_answers(text: str) -> None:
    assert not is_well_formed(text)


def test_deep_answers_are_damaged() -> None:
    assert is_well_formed("^done,a=" + "[" * 100 + "]" * 100)
    assert not is_well_formed("^done,a=" + "[" * 101 + "]" * 101)


@pytest.mark.parametrize("piece", ["[", "{a=", '"\\', 'a="",', "[],", '"'])
def test_a_long_answer_takes_no_time(piece: str) -> None:
    started = time.thread_time()
    is_well_formed("^done,a=" + piece * ((1 << 20) // len(piece)))
    assert time.thread_time() - started < 5  # 0.4 s; as its square it would be an hour
