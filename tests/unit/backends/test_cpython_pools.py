"""Which pool a wait is for, what it counts, and who has what it lends, in literal memory."""

from dataclasses import replace

import pytest

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.libraries import LibraryResource, Term, Thing
from hangtui.backends.cpython.pools.anchors import Anchor, Anchors
from hangtui.backends.cpython.pools.counts import Counts
from hangtui.backends.cpython.pools.loans import Loan, Loans, Sign
from hangtui.backends.cpython.pools.records import Records
from hangtui.model import NodeId, NodeKind, task_id, thread_id
from tests.unit.backends.heap import Call, Heap

SITE = "/srv/venv/lib/python3.12/site-packages"
THREADING = "/usr/lib/python3.12/threading.py"
REDIS = "redis.connection.BlockingConnectionPool"
FIRST, SECOND = thread_id(1, 1), thread_id(1, 2)


def method(heap: Heap, name: str, file: str, owner: int) -> Call:
    """A frame in a method of *owner*."""
    return heap.call("method", "in a method", name=name, file=file, self=owner)


def own(**variables: int) -> Call:
    """A frame of the application."""
    return Call("with_one", "behind", variables, (), "order")


def inside(heap: Heap, manager: int, **variables: int) -> Call:
    """The same inside of a ``with``."""
    return Call("with_one", "inside", variables, (heap.exit(manager),), "order")


def anchor_of(heap: Heap, awaited: int, *calls: Call) -> Anchor | None:
    classes, containers = Classes(heap.objects), Containers(heap.objects, heap.codes)
    counts = Counts(heap.objects, heap.references, containers)
    records = Records(heap.references, classes, counts)
    anchors = Anchors(heap.references, heap.frames, classes, records)
    return anchors.of(heap.stack(*calls), awaited)


# -- which pool -------------------------------------------------------------------------------


def test_a_known_class_whose_method_led_to_the_wait(heap: Heap) -> None:
    condition = heap.instance("threading.Condition")
    queue = heap.instance("queue.LifoQueue", not_empty=condition)
    pool = heap.instance(REDIS, pool=queue)

    found = anchor_of(
        heap,
        condition,
        method(heap, "Condition.wait", THREADING, condition),
        method(heap, "BlockingConnectionPool.get_connection", f"{SITE}/redis/connection.py", pool),
        own(),
    )

    assert found is not None
    assert (found.address, found.name, found.module) == (
        pool,
        "BlockingConnectionPool",
        "redis.connection",
    )
    assert found.known is not None
    assert found.known.library == "redis-py"


def test_a_pool_that_does_not_lead_to_what_is_waited_on(heap: Heap) -> None:
    """It waits for an answer on a socket, say, while it makes a connection."""
    pool, event = heap.instance(REDIS, pool=heap.none), heap.instance("threading.Event")
    call = method(
        heap, "BlockingConnectionPool.get_connection", f"{SITE}/redis/connection.py", pool
    )

    assert anchor_of(heap, event, call, own()) is None


def test_a_class_of_that_name_of_another_package(heap: Heap) -> None:
    condition = heap.instance("threading.Condition")
    pool = heap.instance("shop.BlockingConnectionPool", pool=condition)

    assert anchor_of(heap, condition, method(heap, "get", "/srv/app/shop.py", pool)) is None


def test_it_leads_there_by_objects_in_whose_methods_are_the_frames_between(heap: Heap) -> None:
    event = heap.instance("asyncio.locks.Event")
    inner = heap.instance("anyio._backends._asyncio.Event", _event=event)
    middle = heap.instance("httpcore._synchronization.AsyncEvent", _event=inner)
    request = heap.instance("httpcore._async.connection_pool.AsyncPoolRequest", _acquired=middle)
    pool = heap.instance("httpcore.AsyncConnectionPool", _requests=heap.list_of(request))
    file = f"{SITE}/httpcore/_async/connection_pool.py"

    found = anchor_of(
        heap,
        event,
        method(heap, "Event.wait", "/usr/lib/python3.12/asyncio/locks.py", event),
        method(heap, "Event.wait", f"{SITE}/anyio/_backends/_asyncio.py", inner),
        method(heap, "AsyncEvent.wait", f"{SITE}/httpcore/_synchronization.py", middle),
        method(heap, "AsyncPoolRequest.wait_for_connection", file, request),
        method(heap, "AsyncConnectionPool.handle_async_request", file, pool),
        own(),
    )

    assert found is not None
    assert found.address == pool


@pytest.mark.parametrize(
    ("kind", "file", "called", "expected"),
    [
        ("ducks.DuckPool", f"{SITE}/ducks.py", True, True),
        ("ducks.DuckLimiter", f"{SITE}/ducks.py", True, True),
        ("ducks.DuckPool", f"{SITE}/ducks.py", False, False),
        ("ducks.PoolOfDucks", f"{SITE}/ducks.py", True, False),
        ("shop.DuckPool", "/srv/app/shop.py", True, False),
    ],
    ids=["a pool", "a limiter", "its own worker", "something else", "the application's"],
)
def test_a_class_that_is_called_a_pool(
    heap: Heap, kind: str, file: str, called: bool, expected: bool
) -> None:
    condition = heap.instance("threading.Condition")
    pool = heap.instance(kind, returned=condition)
    calls = [method(heap, "take", file, pool), *([own()] if called else [])]

    found = anchor_of(heap, condition, *calls)

    assert (found is not None) == expected
    assert found is None or (found.known is None and found.address == pool)


@pytest.mark.parametrize(
    ("call", "lends"),
    [
        ("Pool._wait_for_room", True),
        ("WorkerPool.integrate_as_primary_thread", False),
        ("WorkerPool.waitall", False),
    ],
)
def test_a_pool_is_asked_for_something_by_name(heap: Heap, call: str, lends: bool) -> None:
    """Of others somebody waits for the end, or they wait for work."""
    ready = heap.instance("threading.Event")
    pool = heap.instance("ducks.DuckPool", ready=ready)
    file = f"{SITE}/ducks.py"
    calls = [method(heap, call, file, pool)]
    if lends:
        calls.append(method(heap, "Pool.acquire", file, pool))

    found = anchor_of(heap, ready, *calls, own())

    assert (found is not None) == lends


# -- what it counts ---------------------------------------------------------------------------


def total(heap: Heap, owner: int, *terms: Term) -> int | None:
    containers = Containers(heap.objects, heap.codes)
    return Counts(heap.objects, heap.references, containers).sum(owner, terms)


def test_a_sum_over_attributes(heap: Heap) -> None:
    queue = heap.list_of(heap.none, heap.none)
    pool = heap.instance("app.Pool", most=heap.integer(5), free=queue, over=heap.integer(3))
    most, over = Term(1, ("most",)), Term(1, ("over",))
    free = Term(-1, ("free",), "len")

    assert total(heap, pool, most, free, over) == 6
    assert total(heap, pool, Term(1, ("1",))) == 1
    assert total(heap, pool, Term(1, ("free",), "len")) == 2


def test_what_is_not_there_or_makes_no_sense_is_not_known(heap: Heap) -> None:
    pool = heap.instance("app.Pool", most=heap.integer(5), name=heap.text("main"))

    assert total(heap, pool, Term(1, ("least",))) is None
    assert total(heap, pool, Term(1, ("most",)), Term(1, ("least",))) is None
    assert total(heap, pool, Term(-1, ("most",))) is None
    assert total(heap, pool, Term(1, ("name",))) is None
    assert total(heap, pool, Term(1, ("most",), "len")) is None
    assert total(heap, pool, Term(1, ("most",), "maxlen")) is None
    assert total(heap, pool) is None


def test_the_bound_of_a_deque(heap: Heap) -> None:
    free, endless = heap.deque(heap.none), heap.deque()
    place = heap.layout["deque.leftindex"] + 24
    heap.put(free, (place, "q", 7))
    heap.put(endless, (place, "q", -1))
    pool = heap.instance("app.Pool", free=free, endless=endless)

    assert total(heap, pool, Term(1, ("free",), "maxlen")) == 7
    assert total(heap, pool, Term(1, ("endless",), "maxlen")) is None


# -- who has one ------------------------------------------------------------------------------

FAIRY = Thing("fairies", "Fairy", ("pool",), ("link",))
LENDS = LibraryResource("Fairies", "fairies", "Pool", NodeKind.POOL, "fairy", things=(FAIRY,))


def anchor(address: int, known: LibraryResource | None = LENDS) -> Anchor:
    return Anchor(address, "Pool", "fairies", known, f"{SITE}/fairies.py")


def loans(
    heap: Heap,
    of: Anchor,
    stacks: dict[NodeId, tuple[Frame, ...]],
    waiters: tuple[NodeId, ...] = (),
    tasks: dict[int, NodeId] | None = None,
    out: int | None = None,
) -> list[Loan]:
    return finder(heap).of(of, stacks, waiters, tasks or {}, out)


def finder(heap: Heap) -> Loans:
    containers = Containers(heap.objects, heap.codes)
    return Loans(heap.references, heap.frames, containers, Classes(heap.objects), heap.objects)


def signs(found: list[Loan]) -> list[tuple[NodeId, Sign, int]]:
    return [(one.actor, one.sign, one.thing) for one in found]


def fairy(heap: Heap, pool: int, link: int | None = None) -> int:
    inner = heap.instance("app.Socket") if link is None else link
    return heap.instance("fairies.Fairy", pool=pool, link=inner)


def test_a_with_of_the_library_and_a_variable(heap: Heap) -> None:
    pool = heap.instance("fairies.Pool")
    first, second = fairy(heap, pool), fairy(heap, pool)
    manager = heap.instance("fairies.Connection", fairy=first)
    stacks = {
        FIRST: heap.stack(inside(heap, manager)),
        SECOND: heap.stack(own(lock=heap.list_of(second))),
    }

    assert signs(loans(heap, anchor(pool), stacks)) == [
        (FIRST, Sign.ENTERED, first),
        (SECOND, Sign.REFERS, second),
    ]
    assert signs(loans(heap, anchor(pool), stacks, out=1)) == [(FIRST, Sign.ENTERED, first)]


def test_nobody_has_what_is_in_a_list_that_several_refer_to(heap: Heap) -> None:
    pool = heap.instance("fairies.Pool")
    first, second = fairy(heap, pool), fairy(heap, pool)
    failed = heap.list_of(first)
    stacks = {
        FIRST: heap.stack(own(lock=failed), own(lock=heap.list_of(failed))),
        SECOND: heap.stack(own(lock=failed), own(lock=second)),
    }

    assert signs(loans(heap, anchor(pool), stacks)) == [(SECOND, Sign.REFERS, second)]
    nothing = heap.dict_of()
    stacks = {
        one: tuple(replace(frame, namespace=nothing) for frame in frames)
        for one, frames in stacks.items()
    }
    assert finder(heap).kept(anchor(pool), stacks, {second}, heap.objects) == (
        "shared by several: lock (ownership.py)",
    )


def test_a_thing_that_refers_to_its_pool_weakly(heap: Heap) -> None:
    known = LibraryResource(
        *("Fairies", "fairies", "Pool", NodeKind.POOL, "fairy"),
        things=(Thing("fairies", "Fairy", ("pool_ref", "()")),),
    )
    pool, elsewhere = heap.instance("fairies.Pool"), heap.instance("fairies.Pool", n=heap.none)
    lent, other = (heap.instance("fairies.Fairy", pool_ref=heap.weak(pool)) for _ in range(2))
    foreign = heap.instance("fairies.Fairy", pool_ref=heap.weak(elsewhere))
    checkout = heap.instance("fairies.Checkout", conn=lent, foreign=foreign)
    stacks = {
        FIRST: heap.stack(inside(heap, heap.instance("fairies.Client", checkout=checkout))),
        SECOND: heap.stack(own(lock=other)),
    }

    assert signs(loans(heap, anchor(pool, known), stacks)) == [
        (FIRST, Sign.ENTERED, lent),
        (SECOND, Sign.REFERS, other),
    ]


def test_the_best_sign_of_a_thing_alone_counts(heap: Heap) -> None:
    pool = heap.instance("fairies.Pool")
    one = fairy(heap, pool)
    manager = heap.instance("fairies.Connection", fairy=one)
    stacks = {
        FIRST: heap.stack(own(lock=one)),
        SECOND: heap.stack(inside(heap, manager, lock=one)),
    }

    assert signs(loans(heap, anchor(pool), stacks)) == [(SECOND, Sign.ENTERED, one)]


def test_a_with_of_the_application_does_not_prove_that_it_gives_it_back(heap: Heap) -> None:
    pool = heap.instance("fairies.Pool")
    one = fairy(heap, pool)
    state = heap.instance("shop.State", fairy=one)
    stacks = {FIRST: heap.stack(inside(heap, heap.instance("shop.Context", state=state)))}

    assert signs(loans(heap, anchor(pool), stacks)) == [(FIRST, Sign.REFERS, one)]


def test_what_was_given_back_or_is_of_another_pool(heap: Heap) -> None:
    pool, other = heap.instance("fairies.Pool"), heap.instance("fairies.Pool", name=heap.none)
    back, foreign = fairy(heap, pool, heap.none), fairy(heap, other)
    unused = fairy(heap, pool, heap.truth(0))
    stacks = {FIRST: heap.stack(own(lock=heap.list_of(back, unused, foreign, pool)))}

    assert loans(heap, anchor(pool), stacks) == []

    used = fairy(heap, pool, heap.truth(1))
    stacks = {FIRST: heap.stack(own(lock=heap.list_of(back, used)))}
    assert signs(loans(heap, anchor(pool), stacks)) == [(FIRST, Sign.REFERS, used)]


def test_what_another_pool_has_lent_out(heap: Heap) -> None:
    pool, other = heap.instance("fairies.Pool"), heap.instance("fairies.Pool", name=heap.none)
    stacks = {FIRST: heap.stack(own(lock=fairy(heap, other)))}

    assert loans(heap, anchor(pool), stacks) == []


def test_what_rests_in_the_pool_is_not_lent_out(heap: Heap) -> None:
    known = LibraryResource(
        "P", "p", "Pool", NodeKind.POOL, "socket", among=("all",), resting=("free",)
    )
    free, lent = heap.instance("p.Socket"), heap.instance("p.Socket", n=heap.none)
    pool = heap.instance("p.Pool", all=heap.list_of(free, lent), free=heap.deque(free))
    stacks = {FIRST: heap.stack(own(lock=heap.list_of(free, lent)))}

    assert signs(loans(heap, anchor(pool, known), stacks)) == [(FIRST, Sign.REFERS, lent)]


def test_what_the_waiting_call_has_in_hand_is_not_lent_out(heap: Heap) -> None:
    known = LibraryResource(
        "P", "p", "Pool", NodeKind.POOL, "socket", using=("ask",), acquire=("take",)
    )
    pool = heap.instance("p.Pool")
    file = f"{SITE}/p.py"
    take, ask = method(heap, "Pool.take", file, pool), method(heap, "Pool.ask", file, pool)
    stacks = {
        FIRST: heap.stack(take, ask, own()),
        SECOND: heap.stack(ask, own()),
    }

    (found,) = loans(heap, anchor(pool, known), stacks, (FIRST,))

    assert (found.actor, found.sign) == (SECOND, Sign.USING)
    assert found.frame is not None
    assert found.frame.code.function.endswith("order")


def test_who_knows_the_pool_has_nothing_of_it(heap: Heap) -> None:
    known = LibraryResource("P", "p", "Pool", NodeKind.POOL, "socket", among=("all",))
    lent = heap.instance("p.Socket")
    pool = heap.instance("p.Pool", all=heap.list_of(lent))

    assert loans(heap, anchor(pool, known), {FIRST: heap.stack(own(lock=pool))}) == []


@pytest.mark.parametrize(("function", "has_it"), [("wait_released", False), ("ask", True)])
def test_who_waits_until_all_is_back_has_none_of_it(
    heap: Heap, function: str, *, has_it: bool
) -> None:
    known = LibraryResource(
        *("P", "p", "Pool", NodeKind.POOL, "socket"), among=("all",), returned=("wait_released",)
    )
    lent = heap.instance("p.Socket")
    pool = heap.instance("p.Pool", all=heap.list_of(lent))
    part = heap.instance("p.Part", socket=lent)
    frames = heap.stack(method(heap, f"Part.{function}", f"{SITE}/fairies.py", part), own())

    for waiters in ((FIRST,), ()):
        found = signs(loans(heap, anchor(pool, known), {FIRST: frames}, waiters))
        assert found == ([(FIRST, Sign.REFERS, lent)] if has_it else [])


def test_the_pool_records_who_borrowed(heap: Heap) -> None:
    known = LibraryResource("P", "p", "Pool", NodeKind.LIMITER, "token", borrowers=("who",))
    task, stranger = heap.instance("_asyncio.Task"), heap.instance("app.Token")
    ended, placeholder = heap.instance("_asyncio.Task"), heap.instance("p.Placeholder")
    pool = heap.instance("p.Pool", who=heap.set_of(task, stranger, ended, placeholder))
    actor = task_id(1, task)
    stacks = {FIRST: heap.stack(own(lock=stranger)), actor: heap.stack(own())}
    tasks = {task: actor}

    found = loans(heap, anchor(pool, known), stacks, tasks=tasks, out=2)

    assert signs(found) == [(actor, Sign.RECORDED, task)]
    behalf = finder(heap).on_behalf(anchor(pool, known), stacks, tasks)
    assert behalf == ("Token (lock)",)


@pytest.mark.parametrize(
    ("size", "name", "told"),
    [
        (1, "_in_use", "connection"),
        (2, "_in_use", None),
        (1, "_resting", None),
        (0, "_in_use", None),
    ],
    ids=["all are out", "some are not", "of another name", "no limit"],
)
def test_what_an_unknown_pool_records_of_what_is_out(
    heap: Heap, size: int, name: str, told: str | None
) -> None:
    lent = heap.instance("ducks.PooledConnection", n=heap.none)
    condition = heap.instance("threading.Condition")
    attributes = {name: heap.list_of(lent), "_maxsize": heap.integer(size)}
    pool = heap.instance("ducks.DuckPool", returned=condition, **attributes)

    found = anchor_of(
        heap, condition, method(heap, "DuckPool.take", f"{SITE}/ducks.py", pool), own()
    )

    assert found is not None
    assert (found.known.lends if found.known else None) == told
    if told:
        stacks = {FIRST: heap.stack(own(lock=lent)), SECOND: heap.stack(own(lock=pool))}
        assert signs(loans(heap, found, stacks, (SECOND,))) == [(FIRST, Sign.REFERS, lent)]


def test_tasks_that_an_unknown_pool_records_have_a_place_of_it(heap: Heap) -> None:
    condition = heap.instance("threading.Condition")
    task = heap.instance("_asyncio.Task", n=heap.none)
    record = heap.list_of(task)
    pool = heap.instance("ducks.DuckPool", queue=condition, active=record, size=heap.integer(1))
    found = anchor_of(
        heap, condition, method(heap, "DuckPool.take", f"{SITE}/ducks.py", pool), own()
    )

    assert found is not None
    assert found.known is not None
    assert (found.known.lends, found.known.guessed) == ("place", True)
    actor = task_id(1, task)
    assert signs(loans(heap, found, {}, tasks={task: actor})) == [(actor, Sign.RECORDED, task)]


@pytest.mark.parametrize("name", ["_readers", "waiting"])
def test_tasks_that_an_unknown_lock_records_are_inside_of_it(heap: Heap, name: str) -> None:
    event = heap.instance("asyncio.locks.Event")
    task = heap.instance("_asyncio.Task", n=heap.none)
    lock = heap.instance("ducks.DuckLock", event=event, **{name: heap.list_of(task)})
    call = method(heap, "DuckLock.acquire", f"{SITE}/ducks.py", lock)
    found = anchor_of(heap, event, call, own())

    assert (found is not None) is (name == "_readers")
    if found is not None:
        assert found.known is not None
        assert (found.known.lends, found.known.borrowers) == ("turn", ("_readers",))
        actor = task_id(1, task)
        stacks = {actor: heap.stack(inside(heap, lock))}
        (loan,) = loans(heap, found, stacks, tasks={task: actor})
        assert (loan.sign, loan.function) == (Sign.RECORDED, "order")


def test_of_an_unknown_library_only_a_with_counts(heap: Heap) -> None:
    pool = heap.instance("ducks.DuckPool")
    manager = heap.instance("ducks.Lease", pool=pool)
    lease = heap.instance("ducks.Lease", pool=pool)
    stacks = {
        FIRST: heap.stack(inside(heap, manager)),
        SECOND: heap.stack(own(lock=lease)),
    }

    assert signs(loans(heap, anchor(pool, None), stacks)) == [(FIRST, Sign.ENTERED, manager)]


def test_a_manager_that_asks_an_unknown_pool_has_nothing_of_it_yet(heap: Heap) -> None:
    pool = heap.instance("ducks.DuckPool")
    outer, inner = (heap.instance("ducks.Session", pool=pool) for _ in range(2))
    take = method(heap, "DuckPool.take", f"{SITE}/ducks.py", pool)
    ask = method(heap, "Session.ask", f"{SITE}/ducks.py", inner)
    stacks = {FIRST: heap.stack(take, ask, inside(heap, inner), inside(heap, outer))}

    found = loans(heap, anchor(pool, None), stacks, (FIRST,))

    assert signs(found) == [(FIRST, Sign.ENTERED, outer)]


def test_closing_the_pool_itself_is_no_loan(heap: Heap) -> None:
    pool = heap.instance("ducks.DuckPool")

    assert loans(heap, anchor(pool, None), {FIRST: heap.stack(inside(heap, pool))}) == []


def test_global_variables_that_keep_what_no_frame_refers_to(heap: Heap) -> None:
    pool = heap.instance("fairies.Pool")
    kept = fairy(heap, pool)
    names = {"open_reports": heap.list_of(kept), "pool": pool, "limit": heap.integer(3)}
    frames = [replace(one, namespace=heap.dict_of(**names)) for one in heap.stack(own())]
    found = finder(heap).kept(anchor(pool), {FIRST: frames}, (), heap.objects)

    assert [one.partition(" ")[0] for one in found] == ["open_reports"]
    assert finder(heap).kept(anchor(pool), {FIRST: frames}, {kept}, heap.objects) == ()
