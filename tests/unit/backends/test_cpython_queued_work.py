"""How many items of work lie in a queue, in literal memory."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.queued_work import QueuedWork
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.values import Values
from tests.unit.backends.heap import Heap


def test_a_mark_that_tells_who_takes_work_to_end_is_no_work(heap: Heap) -> None:
    references = References(heap.objects, heap.frames, heap.blocks, heap.codes)
    containers = Containers(heap.objects, heap.codes)
    values = Values(heap.objects, heap.frames, references, containers)
    work = QueuedWork(heap.objects, heap.codes, containers, values)
    item = heap.instance("concurrent.futures.thread._WorkItem")

    assert work.count(heap.deque(item, heap.none, item)) == 2
    assert work.count(heap.deque(heap.none)) == 0
