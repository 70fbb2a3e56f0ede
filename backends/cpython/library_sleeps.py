"""Where a task or a greenlet stands in the sleep of its library, and from where it went there."""

from collections.abc import Sequence

from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.frames import Frame

_SLEEP = "sleep"
_AWAITED = (
    "/asyncio/tasks.py",
    "/trio/_timeouts.py",
    "/anyio/_core/_eventloop.py",
    "/anyio/_backends/_asyncio.py",
    "/anyio/_backends/_trio.py",
)
"""Files with a coroutine ``sleep()``: anyio's calls those of the two others."""
_BELOW = ("/trio/_timeouts.py", "/trio/_core/_traps.py")
"""What trio's sleep calls."""
_DEFERRED = "/twisted/internet/defer.py"
"""Where a coroutine of Twisted awaits a Deferred, be that of a sleep or of anything."""
_SWITCHED, _HUB = ("/gevent/hub.py", "/eventlet/greenthread.py"), "/eventlet/hubs/hub.py"
"""Where greenlets sleep, and where they switch to the hub for that."""


def awaited_sleep(frames: Sequence[Frame]) -> int:
    """How many of a task's *frames*, innermost first, are its library's ``sleep()``; 0: there are
    none, and it may still await what such a function has made."""
    index = 0
    while index < len(frames) and frames[index].code.filename.endswith(_BELOW):
        if makes_sleep(frames[index].code):
            break
        index += 1
    found = 0
    while index < len(frames) and makes_sleep(frames[index].code):
        index += 1
        found = index
    return found


def awaits_deferred(frames: Sequence[Frame]) -> bool:
    """Whether the innermost of a coroutine's *frames* is that of a Deferred which it awaits."""
    return bool(frames) and frames[0].code.filename.endswith(_DEFERRED)


def switched_sleep(frames: Sequence[Frame]) -> int:
    """The same of a greenlet's *frames*."""
    for index, frame in enumerate(frames[:2]):
        if frame.code.bare_name == _SLEEP and frame.code.filename.endswith(_SWITCHED):
            return index + 1
        if not frame.code.filename.endswith(_HUB):
            break
    return 0


def makes_sleep(code: Code) -> bool:
    """Whether a call of it makes such a coroutine."""
    return code.bare_name == _SLEEP and code.filename.endswith(_AWAITED)
