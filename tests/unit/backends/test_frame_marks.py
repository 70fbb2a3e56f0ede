"""What lies in the frames of a sampled stack, as numbers."""

import struct
import time

from hangtui.backends.unwind.frame_marks import frame_marks
from hangtui.backends.unwind.unwinder import RawFrame, RawStack
from hangtui.model import FrameMark

POINTER = 0x7F0000000000
CALLS = RawStack(
    (
        RawFrame(0x10, POINTER + 16, interrupted=True),
        RawFrame(0x20, POINTER + 64, interrupted=False),
        RawFrame(0x30, POINTER + 80, interrupted=False),
    ),
    complete=True,
)


def stack(*words: int) -> bytes:
    return struct.pack("<10Q", *words)


def marks(*words: int, of: RawStack = CALLS) -> tuple[FrameMark, ...]:
    return frame_marks(of, POINTER, stack(*words))


def test_the_innermost_frame_does_not_count() -> None:
    first, again = marks(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), marks(0, 0, 3, 4, 5, 6, 7, 8, 9, 10)
    assert [one.address for one in first] == [0x30, 0x20]
    assert first == again


def test_a_value_that_changed_shows_in_its_frame() -> None:
    first, again = marks(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), marks(1, 2, 3, 4, 99, 6, 7, 8, 9, 10)
    assert first[0] == again[0]
    assert first[1] != again[1]


def test_moments_of_the_clock_do_not_count() -> None:
    now = int(time.monotonic())
    first = marks(1, 2, 3, now, 5_000_000, 6, 7, 8, 9, 10)
    assert first == marks(1, 2, 3, now + 1, 999_999_999, 6, 7, 8, 9, 10)
    assert first != marks(1, 2, 3, now + 1, 5_000_000_000, 6, 7, 8, 9, 10)
    assert first != marks(1, 2, 3, now + 100_000, 5_000_000, 6, 7, 8, 9, 10)
    wall = int(time.time())
    assert marks(1, 2, 3, wall, 7, 6, 7, 8, 9, 10) == marks(1, 2, 3, wall + 2, 8, 6, 7, 8, 9, 10)


def test_a_frame_without_a_word_is_one_too() -> None:
    frames = (CALLS.frames[0], RawFrame(0x20, POINTER + 16, interrupted=False), *CALLS.frames[1:])
    found = marks(*range(10), of=RawStack(frames, complete=True))
    assert [one.address for one in found] == [0x30, 0x20, 0x20]


def test_a_stack_that_breaks_off_tells_nothing() -> None:
    assert marks(*range(10), of=RawStack(CALLS.frames, complete=False)) == ()


def test_frames_beyond_the_sample_are_left_out() -> None:
    assert [one.address for one in frame_marks(CALLS, POINTER, stack(*range(10))[:64])] == [0x20]


def test_a_stack_in_two_places_tells_nothing() -> None:
    frames = (*CALLS.frames, RawFrame(0x40, POINTER - 4096, interrupted=False))
    assert marks(*range(10), of=RawStack(frames, complete=True)) == ()
