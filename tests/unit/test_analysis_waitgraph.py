"""The wait-for graph: which cycles count, and which must not."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import Relation, WaitGraph, build
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    LoopState,
    NodeKind,
    Task,
    TaskState,
    process_id,
    thread_id,
)
from tests.unit.factories import abba, capture, holds, lock, process, thread, waits, with_thread

A, B, C = thread("a", 101), thread("b", 102), thread("c", 103)
L1, L2 = lock("L1", 0x1), lock("L2", 0x2)
RW = lock("rwlock", 0x3, NodeKind.RWLOCK)


def cycles(graph: WaitGraph) -> list[tuple[str, ...]]:
    return [cycle.nodes for cycle in graph.cycles]


def test_two_threads_that_wait_for_each_other_are_a_cycle_in_wait_order() -> None:
    graph = build(abba())

    assert cycles(graph) == [
        (thread_id(100, 101), "lock:100:0xb", thread_id(100, 102), "lock:100:0xa")
    ]


def test_edges_of_a_cycle_follow_its_nodes_and_the_weakest_sets_its_certainty() -> None:
    (cycle,) = build(abba(Certainty.INFERRED)).cycles

    assert [edge.source for edge in cycle.edges] == list(cycle.nodes)
    assert cycle.certainty is Certainty.INFERRED


def test_proven_is_weaker_than_certain() -> None:
    (cycle,) = build(abba()).cycles

    assert cycle.certainty is Certainty.PROVEN


@pytest.mark.parametrize("still", [False, None])
def test_a_member_that_was_not_seen_standing_still_breaks_the_cycle(still: bool | None) -> None:
    graph = build(abba(still=still))

    assert graph.cycles == ()
    assert {edge.source: edge.stable for edge in graph.edges}[thread_id(100, 102)] is False


def test_a_wait_with_a_timeout_breaks_the_cycle() -> None:
    graph = build(abba(expires=True))

    assert graph.cycles == ()
    wait = graph.wait_of(thread_id(100, 102))
    assert wait is not None
    assert wait.expires


def test_an_edge_of_unknown_certainty_closes_no_cycle() -> None:
    assert build(abba(Certainty.UNKNOWN)).cycles == ()


def test_a_free_lock_or_a_running_holder_is_no_cycle() -> None:
    running = thread("c", 103, state="R", still=False)
    graph = build(
        capture(A, B, running, resources=[L1, L2], waits=[waits(A, L1), waits(B, L2)],
                holds=[holds(L1, running)])
    )  # fmt: skip

    assert graph.cycles == ()


def test_a_reader_lock_with_one_reader_outside_is_no_cycle() -> None:
    outside = thread("reader", 103)
    made = capture(
        A, B, outside,
        resources=[L1, RW],
        waits=[waits(A, RW), waits(B, L1)],
        holds=[holds(RW, B), holds(RW, outside), holds(L1, A)],
    )  # fmt: skip

    assert build(made).cycles == ()


def test_a_reader_lock_whose_readers_are_all_stuck_is_a_cycle() -> None:
    made = capture(
        A, B, C,
        resources=[L1, RW],
        waits=[waits(A, RW), waits(B, L1), waits(C, L1)],
        holds=[holds(RW, B), holds(RW, C), holds(L1, A)],
    )  # fmt: skip
    (cycle,) = build(made).cycles

    assert set(cycle.nodes) == {A.id, B.id, C.id, L1.id, RW.id}
    assert cycle.nodes[0] == A.id
    assert len(cycle.edges) == 6


def test_a_thread_with_a_second_thing_to_wake_it_is_no_member() -> None:
    free = lock("free", 0x9)
    made = with_thread(abba(), waits=[waits(thread_id(100, 101), free.id)])

    assert build(replace(made, resources=(*made.resources, free))).cycles == ()


def test_two_independent_cycles_are_two_cycles() -> None:
    one, two = abba(), abba()
    other = thread("x", 201, pid=200), thread("y", 202, pid=200)
    l1, l2 = lock("p", 0x1, pid=200), lock("q", 0x2, pid=200)
    second = capture(
        *other,
        resources=[l1, l2],
        waits=[waits(other[0], l1), waits(other[1], l2)],
        holds=[holds(l1, other[1]), holds(l2, other[0])],
    )
    both = replace(
        one,
        processes=two.processes + second.processes,
        resources=one.resources + second.resources,
        waits=one.waits + second.waits,
        holds=one.holds + second.holds,
    )

    assert [nodes[0] for nodes in cycles(build(both))] == [
        thread_id(100, 101),
        thread_id(200, 201),
    ]


def test_a_thread_that_waits_for_its_own_lock_is_a_cycle_of_one_thread() -> None:
    graph = build(capture(A, resources=[L1], waits=[waits(A, L1)], holds=[holds(L1, A)]))

    assert cycles(graph) == [(A.id, L1.id)]


def test_threads_that_join_each_other_are_a_cycle_without_resources() -> None:
    assert cycles(build(capture(A, B, waits=[waits(A, B), waits(B, A)]))) == [(A.id, B.id)]


def test_a_thread_that_joins_itself_is_a_cycle() -> None:
    assert cycles(build(capture(A, waits=[waits(A, A)]))) == [(A.id,)]


def test_an_orphan_holder_is_an_unknown_node_and_no_cycle() -> None:
    graph = build(
        capture(A, resources=[L1], waits=[waits(A, L1)], holds=[holds(L1, thread_id(100, 999))])
    )
    node = graph.node(thread_id(100, 999))

    assert node is not None
    assert (node.known, node.tid, node.kind) == (False, 999, NodeKind.THREAD)
    assert graph.holders_of(L1.id)[0].stable
    assert graph.cycles == ()


def test_a_process_that_is_waited_for_is_a_node_with_its_title() -> None:
    child = process(300, script="child.py")
    graph = build(capture(A, waits=[waits(A, child)], processes=[child]))
    node = graph.node(process_id(300))

    assert node is not None
    assert (node.label, node.kind, node.known) == ("child.py", NodeKind.PROCESS, True)


def test_labels_name_threads_with_their_tids() -> None:
    node = build(capture(A, resources=[L1])).node(A.id)

    assert node is not None
    assert node.label == "a (TID 101)"


def test_the_threads_behind_a_cycle_are_found_through_other_locks() -> None:
    near, far, free = thread("near", 104), thread("far", 105), thread("free", 106)
    l9 = lock("L9", 0x9)
    base = abba()
    made = replace(
        with_thread(
            base, near, far, free,
            waits=[waits(near, base.resources[0]), waits(far, l9)],
        ),
        resources=(*base.resources, l9),
        holds=(*base.holds, holds(l9, near)),
    )  # fmt: skip
    graph = build(made)

    assert graph.behind(graph.cycles[0]) == (near.id, far.id)


def test_a_thread_that_ran_meanwhile_is_not_behind_a_cycle() -> None:
    busy = thread("busy", 104, still=False)
    graph = build(with_thread(abba(), busy, waits=[waits(busy, "lock:100:0xa")]))

    assert graph.behind(graph.cycles[0]) == ()


def test_the_better_known_of_two_equal_edges_counts() -> None:
    graph = build(
        capture(A, B, resources=[L1], waits=[
            waits(A, L1, Certainty.INFERRED), waits(A, L1, Certainty.CERTAIN),
        ])
    )  # fmt: skip

    assert [edge.evidence.certainty for edge in graph.edges] == [Certainty.CERTAIN]


def test_a_timeout_counts_whichever_source_saw_it() -> None:
    graph = build(
        capture(A, resources=[L1], waits=[waits(A, L1), waits(A, L1, expires=True)],
                holds=[holds(L1, A)])
    )  # fmt: skip

    assert graph.edges[0].expires
    assert graph.cycles == ()


def test_neighbours_of_a_node() -> None:
    graph = build(abba())

    wait = graph.wait_of(thread_id(100, 101))
    assert wait is not None
    assert (wait.target, wait.relation) == ("lock:100:0xb", Relation.WAITS_FOR)
    assert [edge.target for edge in graph.holders_of("lock:100:0xb")] == [thread_id(100, 102)]
    assert [edge.source for edge in graph.waiters_of("lock:100:0xb")] == [thread_id(100, 101)]
    assert [edge.source for edge in graph.held_by(thread_id(100, 101))] == ["lock:100:0xa"]
    assert graph.wait_of(thread_id(100, 100)) is None


def test_edges_between_resources_alone_are_no_cycle() -> None:
    graph = build(capture(resources=[L1, L2], holds=[holds(L1, L2.id), holds(L2, L1.id)]))

    assert graph.cycles == ()


def test_ids_that_nobody_explains_become_unknown_nodes() -> None:
    graph = build(capture(A, waits=[waits(A, "mutex:100:0x77"), waits(A, "nonsense")]))

    assert [(n.kind, n.known) for n in graph.nodes[1:]] == [
        (NodeKind.MUTEX, False),
        (NodeKind.FUTEX, False),
    ]


def gathering(state: LoopState, *, together: bool = False) -> Capture:
    """MainThread has the lock that the thread of a loop waits for, and waits for what a task is to
    set, which gathers two: one of them waits for that thread, the other for a semaphore that some
    other task may have."""
    main, runner = thread("MainThread", 100, 100), thread("runner", 101, 100)
    taken, result = lock("taken", 0x1), lock("result", 0x2, NodeKind.FUTURE)
    slots = lock("slots", 0x3, NodeKind.SEMAPHORE)
    tasks = [Task(100, n, f"Task-{n}", "work", TaskState.WAITING, 9, 101) for n in (1, 2, 3)]
    first, ready, late = tasks
    made = capture(
        *(main, runner),
        resources=[taken, result, slots],
        waits=[
            waits(main, result),
            replace(waits(first.id, ready.id), together=together),
            replace(waits(first.id, late.id), together=together),
            waits(ready.id, runner),
            waits(late.id, slots),
            waits(runner, taken),
        ],
        holds=[
            holds(taken, main),
            holds(result, first.id),
            holds(slots, ready.id, Certainty.INFERRED),
        ],
    )
    loop = EventLoop(100, 9, "loop", state, runner.tid)
    return replace(made, tasks=tuple(tasks), event_loops=(loop,))


def test_of_many_tasks_the_shortest_ring_is_the_cycle() -> None:
    """A task cannot go on without the thread of its loop, whatever else it waits for."""
    (cycle,) = build(gathering(LoopState.BUSY)).cycles

    assert cycle.nodes == (
        *("thread:100:100", "future:100:0x2", "task:100:0x1", "thread:100:101", "lock:100:0x1"),
    )
    assert cycle.certainty is Certainty.PROVEN


def test_who_needs_each_of_several_is_in_a_ring_with_one() -> None:
    (cycle,) = build(gathering(LoopState.IDLE, together=True)).cycles

    assert "task:100:0x2" in cycle.nodes
    assert "task:100:0x3" not in cycle.nodes
    assert cycle.certainty.supports_claim


def test_who_may_be_woken_by_one_of_several_is_in_a_ring_with_all() -> None:
    (cycle,) = build(gathering(LoopState.IDLE)).cycles

    assert {"task:100:0x2", "task:100:0x3"} <= set(cycle.nodes)
    assert cycle.certainty is Certainty.INFERRED
