"""The frames of a stack that was switched out."""

from collections.abc import Iterator

from hangtui.backends.cpython.frames import MAX_FRAMES, Frame, Frames


class SwitchedOut(Frames):
    """Reads them. Which of these frames C code called is not known: what lay between them and the
    C stack is gone (greenlet 3.0 on joins them directly)."""

    def of(self, top: int) -> Iterator[Frame]:
        """The frames, innermost first; *top*: the address of the innermost frame object, or 0.

        Raises:
            MemoryReadError: memory is not what the layout promises.
            BudgetSpentError: too many objects of this process were read.
        """
        layout, memory, seen = self._layout, self._memory, set[int]()
        in_objects = not layout.since(3, 11)
        here = top
        if top and not in_objects:
            here = memory.u64(top + layout["frameobj.f_back"] + 8)  # f_frame
        while here and len(seen) < MAX_FRAMES:
            self._once(here, seen)
            if in_objects:
                yield self._frame_object(here)
                here = memory.u64(here + layout["frameobj.f_back"])
                continue
            if not self._is_shim(here):
                frame = self._interpreter_frame(here, entry=False)
                if not frame.only_checks:
                    yield frame
            here = memory.u64(here + layout["iframe.previous"])
