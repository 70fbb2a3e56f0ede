"""Which functions of Twisted have a request of its web server to answer.

The server has called the application for it, and was told that the answer comes later
(``NOT_DONE_YET``): who is to send that has the request among its variables, or what is called with
its result has it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.twisted.deferreds import Deferreds
from hangtui.backends.cpython.twisted.flows import Flow
from hangtui.model import bracketed, clean

_OVER = ("finished", "_disconnected")
"""Attributes that tell so (twisted/web/http.py, ``Request``): of the class, until they are set."""
_MOST_FLOWS = 500
_MOST_OPEN, _MOST_DEFERREDS = 5, 10_000
_NOT_KNOWN = "?"


class Requests:
    """Finds them in one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        deferreds: Deferreds,
        codes: CodeReader,
    ) -> None:
        self._codes = codes
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._deferreds = deferreds

    def answered_by(self, flows: Iterable[Flow], requests: Iterable[int]) -> Mapping[int, str]:
        """By the addresses of those *flows* that have one of *requests* which is still open: where
        that came from, ``127.0.0.1:40112``, or ``?``."""
        waiting = {one: self._client(one) for one in requests if self._is_open(one)}
        if not waiting:
            return {}
        found: dict[int, str] = {}
        for flow in list(flows)[:_MOST_FLOWS]:
            for one in self._in_hand(flow):
                if one in waiting:
                    found[flow.address] = waiting[one]
                    break
        return found

    def left_open(
        self, flows: Iterable[Flow], requests: Iterable[int], deferreds: Iterable[int]
    ) -> tuple[str, ...]:
        """Those of *requests* that none of *flows* has in hand: ``the request of 127.0.0.1:40112,
        which Till.paid (till.py:14) is to answer``, by what one of *deferreds* calls once it fires.
        """
        waiting = {one: self._client(one) for one in requests if self._is_open(one)}
        for flow in list(flows)[:_MOST_FLOWS] if waiting else ():
            for one in self._in_hand(flow):
                waiting.pop(one, None)
        waiting = dict(islice(waiting.items(), _MOST_OPEN))
        answers: dict[int, str] = {}
        for deferred in islice(deferreds, _MOST_DEFERREDS) if waiting else ():
            for function, arguments in self._deferreds.callbacks(deferred):
                for one in waiting.keys() & {*self._kept(function), *arguments}:
                    answers.setdefault(one, f", which {self._place(function)} is to answer")
        clients = waiting.items()
        return tuple(f"the request of {client}{answers.get(one, '')}" for one, client in clients)

    def _kept(self, function: int) -> Iterator[int]:
        """What a function is bound to, and what it closes over."""
        yield self._objects.bound_to(function)
        yield from self._containers.closure(function).values()

    def _place(self, function: int) -> str:
        """``Till.paid (till.py:14)``."""
        code = self._codes.code(self._objects.function_code(function))
        return clean(f"{code.function} ({code.file}:{code.first_line})", 160)

    def _is_open(self, request: int) -> bool:
        attributes = self._objects.attributes(request)
        over = (attributes.get(name, 0) for name in _OVER)
        return bool(attributes) and not any(map(self._containers.truth, over))

    def _client(self, request: int) -> str:
        """The address of its client (twisted/internet/address.py)."""
        address = self._objects.attributes(self._objects.attributes(request).get("client", 0))
        host = address.get("host", 0)
        port = self._containers.integer(address.get("port", 0))
        if self._objects.kind(host) != "str" or port is None:
            return _NOT_KNOWN
        return f"{bracketed(clean(self._objects.text(host), 80))}:{port}"

    def _in_hand(self, flow: Flow) -> Iterator[int]:
        """The objects that it refers to itself, and those of what is called once it has ended."""
        for frame in flow.frames:
            yield from self._frames.variables(frame).values()
        for function, arguments in self._deferreds.callbacks(flow.deferred):
            yield from arguments
            yield from self._kept(function)
