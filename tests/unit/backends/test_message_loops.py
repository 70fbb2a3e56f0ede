"""What counts as sent before a wait for a message."""

from hangtui.backends.cpython.bytecode import Expression, Root
from hangtui.backends.cpython.message_loops import without_handed_on
from hangtui.backends.cpython.wakers.mentions import Mention


def mention(start: int, called: int, receiver: str, name: str = "") -> Mention:
    expression = Expression(Root.GLOBAL, 0, receiver, ())
    return Mention(start, start, 50, called, expression, name)


def test_a_bare_function_that_is_handed_on_sends_nothing_here() -> None:
    target = mention(0, 20, "threading", "Thread"), mention(10, 20, "publish")

    assert without_handed_on(target) == [target[0]]


def test_a_method_that_is_handed_on_may_send() -> None:
    given = mention(0, 20, "asyncio", "to_thread"), mention(10, 20, "link", "send")

    assert without_handed_on(given) == list(given)


def test_what_is_called_may_send_and_what_is_only_mentioned_does_not() -> None:
    called, only_mentioned = mention(0, 20, "publish"), mention(30, 50, "publish")

    assert without_handed_on([called, only_mentioned]) == [called]
