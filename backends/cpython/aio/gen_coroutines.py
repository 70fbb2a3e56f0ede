"""Generators of tornado's ``gen.coroutine`` below a task: what it awaits is their result, and each
waits in turn for a future of its own."""

from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Chain
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

GEN = "tornado.gen"
"""The module that has them."""
_RUNNER = f"{GEN}.Runner"
_MOST = 20


class GenCoroutines:
    """Reads them in one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, containers: Containers, futures: Futures
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._futures = futures

    def below(self, chain: Chain, awaited: int) -> Chain:
        """*chain* with the generators that it waits for by the future *awaited*, innermost first.

        Raises:
            MemoryReadError: they cannot be read.
            BudgetSpentError: too many objects of this process were looked at.
        """
        for _ in range(_MOST):
            runner = self._runner(awaited)
            if not runner or chain.running:
                break
            self._objects.memory.spent.objects(1)
            fields = self._objects.attributes(runner)
            inner = fields.get("future", 0)
            frame = self._generator(fields.get("gen", 0))
            if frame is None or self._futures.kind(inner) is None:
                break
            chain = replace(chain, frames=(frame, *chain.frames), behind=inner)
            awaited = inner
        return chain

    def _runner(self, future: int) -> int:
        """What goes on with the generator whose result a future is for: a callback keeps it."""
        if not future or self._futures.pending(future) is None:
            return 0
        for callback in self._futures.callbacks(future):
            runner = self._containers.closure(callback).get("runner", 0)
            if runner and self._objects.qualified_type(runner) == _RUNNER:
                return runner
        return 0

    def _generator(self, generator: int) -> Frame | None:
        if self._objects.kind(generator) != "generator":
            return None
        try:
            return self._frames.suspended(generator)
        except MemoryReadError:
            return None
