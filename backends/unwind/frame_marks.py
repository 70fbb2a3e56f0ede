"""What lies in each frame of a sampled stack, as one number: a thread that stays in one call keeps
those of its callers, and one that comes back to the same call hardly ever does.

Who polls writes down the time again and again, often where a caller can see it. So moments of the
clock (``struct timespec``: seconds and nanoseconds, by any of the clocks) are left out.
"""

import struct
import time
from collections.abc import Iterator
from zlib import crc32

from hangtui.backends.unwind.unwinder import RawStack
from hangtui.model import FrameMark

_CLOCKS = (time.CLOCK_MONOTONIC, time.CLOCK_REALTIME, time.CLOCK_BOOTTIME)
_NEAR_S = 600
"""So near to the present a moment has to be."""
_SECOND_NS = 10**9


def frame_marks(stack: RawStack, pointer: int, data: bytes) -> tuple[FrameMark, ...]:
    """Of each frame but the innermost, outermost first.

    *data*: the stack from its *pointer* upward; frames beyond that are left out, as all are of a
    stack that lies in several places or breaks off.
    """
    if not stack.complete:
        return ()
    present = [int(time.clock_gettime(clock)) for clock in _CLOCKS]
    found = []
    for inner, frame in zip(stack.frames, stack.frames[1:], strict=False):
        if inner.cfa is None or frame.cfa is None or frame.cfa < inner.cfa:
            return ()
        words = data[inner.cfa - pointer : frame.cfa - pointer]
        if len(words) == frame.cfa - inner.cfa:
            content = crc32(b"".join(_timeless(words, present)), frame.cfa & 0xFFFF_FFFF)
            found.append(FrameMark(frame.address, content))
    return tuple(reversed(found))


def _timeless(data: bytes, present: list[int]) -> Iterator[bytes]:
    """The words of *data* without moments near the present."""
    words = struct.unpack_from(f"<{len(data) // 8}Q", data)
    skip = False
    for word, following in zip(words, (*words[1:], _SECOND_NS), strict=False):
        moment = following < _SECOND_NS and any(abs(word - now) < _NEAR_S for now in present)
        if not skip and not moment:
            yield word.to_bytes(8, "little")
        skip = moment
