"""Small captures for tests, built from a few words."""

from collections.abc import Iterable
from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Ends,
    Evidence,
    Finding,
    GilState,
    Hold,
    NativeFrame,
    NodeId,
    NodeKind,
    Process,
    Progress,
    PythonFrame,
    PythonInfo,
    Resource,
    Source,
    Surroundings,
    Syscall,
    Thread,
    Wait,
    resource_id,
)
from hangtui.older_capture import called, named

PID = 100
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
LIBPYTHON = "/usr/lib/libpython3.11.so.1.0"
LIBCUDA = "/opt/app/libfakecuda.so"


def evidence(
    text: str = "as read",
    certainty: Certainty = Certainty.CERTAIN,
    where: str | None = None,
    source: Source = Source.CPYTHON,
) -> Evidence:
    return Evidence(source, certainty, text, where)


def python_frame(
    function: str, line: int | None = 1, filename: str = "/app/main.py", entry: bool | None = True
) -> PythonFrame:
    return PythonFrame(function, filename, line, entry)


def native_frame(function: str | None, module: str | None = LIBPYTHON) -> NativeFrame:
    return NativeFrame(function, module, 0x1000)


def thread(
    name: str,
    tid: int = PID,
    pid: int = PID,
    state: str = "S",
    *,
    still: bool | None = True,
    still_ms: float | None = 250.0,
    gil: GilState | None = None,
    python: Iterable[PythonFrame] | None = None,
    native: Iterable[NativeFrame] | None = None,
    syscall: Syscall | None = None,
) -> Thread:
    return Thread(
        pid=pid,
        tid=tid,
        name=name,
        state=state,
        still=still,
        still_ms=still_ms,
        gil=gil,
        python_stack=None if python is None else tuple(python),
        native_stack=None if native is None else tuple(native),
        syscall=syscall,
        is_python=True,
    )


def lock(
    label: str,
    address: int,
    kind: NodeKind = NodeKind.LOCK,
    pid: int = PID,
    module: str | None = None,
) -> Resource:
    return named(Resource(resource_id(kind, pid, address), kind, label, pid, address, module))


def between(made: Resource, local: str | None, remote: str) -> Resource:
    """*made*, of a connection of TCP: what it is called stays what it was, if it lies beside it."""
    ends = Ends(local, remote)
    made = replace(made, detail=f"from {local}" if local else None, ends=ends)
    return replace(made, name=ends.name) if made.kind is NodeKind.SOCKET else made


def waits(
    waiter: Thread | str,
    target: Resource | Thread | Process | str,
    certainty: Certainty = Certainty.CERTAIN,
    where: str | None = None,
    *,
    expires: bool = False,
    operation: str | None = None,
    text: str = "the awaited address",
) -> Wait:
    made = Wait(_id(waiter), _id(target), evidence(text, certainty, where), expires, operation)
    return called(made)


def holds(
    resource: Resource,
    holder: Thread | str,
    certainty: Certainty = Certainty.CERTAIN,
    where: str | None = None,
    *,
    text: str = "the owner word",
) -> Hold:
    return Hold(resource.id, _id(holder), evidence(text, certainty, where))


def capture(
    *threads: Thread,
    resources: Iterable[Resource] = (),
    waits: Iterable[Wait] = (),
    holds: Iterable[Hold] = (),
    processes: Iterable[Process] = (),
) -> Capture:
    """A capture of one process per PID among *threads*."""
    made = [process(pid, *(t for t in threads if t.pid == pid)) for pid in _pids(threads)]
    return Capture(
        taken_at="2030-01-02T03:04:05+00:00",
        host="gpu-17",
        processes=(*made, *processes),
        resources=tuple(resources),
        waits=tuple(waits),
        holds=tuple(holds),
        took_ms=12.5,
    )


def process(pid: int, *threads: Thread, script: str = "main.py") -> Process:
    return Process(
        pid=pid,
        ppid=1,
        cmdline=("/usr/bin/python3", f"/app/{script}"),
        state="S",
        exe="/usr/bin/python3.11",
        python=PythonInfo("3.11.7"),
        stopped_for_ms=0.0,
        threads=threads,
    )


def abba(
    certainty: Certainty = Certainty.CERTAIN,
    *,
    still: bool | None = True,
    expires: bool = False,
) -> Capture:
    """Two threads that took two locks in opposite orders."""
    one = thread("worker-a", 101, python=[python_frame("transfer", 31, "/app/bank.py")])
    two = thread("worker-b", 102, still=still, python=[python_frame("audit", 41, "/app/bank.py")])
    first, second = (
        lock("Bank.left (threading.Lock)", 0xA),
        lock("Bank.right (threading.Lock)", 0xB),
    )
    return capture(
        thread("MainThread", still=False, state="R"),
        one,
        two,
        resources=[first, second],
        waits=[
            waits(one, second, where="/app/bank.py:31"),
            waits(two, first, where="/app/bank.py:41", expires=expires),
        ],
        holds=[
            holds(first, one, Certainty.PROVEN, "/app/bank.py:30"),
            holds(second, two, certainty, "/app/bank.py:40"),
        ],
    )


def cuda(certainty: Certainty = Certainty.CERTAIN) -> Capture:
    """The GIL against a driver's rwlock, with a third thread behind them."""
    main = thread(
        "MainThread",
        gil=GilState.HOLDS,
        python=[python_frame("stage_buffers", 44), python_frame("<module>", 51, entry=False)],
        native=[
            native_frame("__futex_abstimed_wait_common", LIBC),
            native_frame("pthread_rwlock_wrlock", LIBC),
            native_frame("cuMemcpyAsync", LIBCUDA),
            native_frame("uct_put", "/opt/app/libfakeucp.so"),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
        syscall=Syscall("futex"),
    )
    launcher = thread(
        "launcher",
        101,
        gil=GilState.WAITS,
        python=[python_frame("get_max_potential_block_size", 29)],
        native=[
            native_frame("pthread_cond_timedwait", LIBC),
            native_frame("take_gil"),
            native_frame("PyGILState_Ensure"),
            native_frame("closure_fcn", "/usr/lib/python3.11/lib-dynload/_ctypes.so"),
            native_frame("cuOccupancyMaxPotentialBlockSize", LIBCUDA),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
    )
    other = thread("poller", 102, gil=GilState.WAITS)
    gil = lock("GIL", 0x10, NodeKind.GIL)
    rwlock = lock("rwlock in libfakecuda.so", 0x20, NodeKind.RWLOCK, module=LIBCUDA)
    return capture(
        main,
        launcher,
        other,
        resources=[gil, rwlock],
        waits=[
            waits(main, rwlock, operation="write"),
            waits(launcher, gil),
            waits(other, gil),
        ],
        holds=[holds(gil, main), holds(rwlock, launcher, certainty)],
    )


def with_thread(base: Capture, *threads: Thread, waits: Iterable[Wait] = ()) -> Capture:
    """*base* with more threads in its first process, and more waits."""
    first, *others = base.processes
    grown = replace(first, threads=(*first.threads, *threads))
    return replace(base, processes=(grown, *others), waits=(*base.waits, *waits))


def stood(made: Capture, *signals: str, seconds: float = 2.0) -> Capture:
    """*made* at the end of several looks in which no thread ran; its processes handle *signals*."""
    processes = []
    for one in made.processes:
        around = replace(one.around or Surroundings(), handles_signals=signals)
        processes.append(replace(one, steady=True, around=around))
    looks = [Progress(one.id, 5, seconds, seconds, 0.0) for one in made.threads()]
    return replace(made, processes=tuple(processes), progress=tuple(looks))


def _pids(threads: Iterable[Thread]) -> list[int]:
    return list(dict.fromkeys(t.pid for t in threads))


def _id(node: Thread | Resource | Process | str) -> NodeId:
    return NodeId(node) if isinstance(node, str) else node.id


def only(made: Capture, beginning: str = "") -> Finding:
    """The one finding in *made*; *beginning*: of the ids that count."""
    (finding,) = (one for one in findings.run(made) if one.id.startswith(beginning))
    return finding


def told_of_wait(found: Finding) -> str:
    """What the title of a `quiet` finding says before it comes to the process as a whole."""
    return found.title.rpartition("; process ")[0]
