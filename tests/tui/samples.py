"""Captures made by hand, for what recorded ones do not show."""

from dataclasses import replace

from hangtui.model import (
    Capture,
    Certainty,
    Crash,
    EventLoop,
    Evidence,
    GilState,
    Hold,
    LoopState,
    NativeFrame,
    NodeId,
    NodeKind,
    Notice,
    Process,
    PythonFrame,
    PythonInfo,
    Resource,
    Source,
    Syscall,
    Task,
    TaskState,
    Thread,
    Wait,
    resource_id,
    thread_id,
)
from hangtui.model.crash import (
    Access,
    Instruction,
    MessageKind,
    Operand,
    PointerKind,
    Region,
    Register,
)
from hangtui.older_capture import named

PID = 41873
CACHE_LOCK = resource_id(NodeKind.RLOCK, PID, 0x7F1C33B8)
DB_LOCK = resource_id(NodeKind.LOCK, PID, 0x7F1C33A0)
LOG_LOCK = resource_id(NodeKind.RLOCK, PID, 0x7F1C3410)
GIL = resource_id(NodeKind.GIL, PID, 0x5581F0)
MUTEX = resource_id(NodeKind.MUTEX, PID, 0x55D0A8)
TAKEN_AT = "2026-08-30T12:04:51+00:00"

HOSTILE = (
    "\x1b]0;x\x07[red]",
    "foo[/]bar",
    "std::string foo[abi:cxx11]()",
    "[vdso]",
    "数据加载器",
    "a\u202eb",
)


def python(function: str, place: str, *, entry: bool = False) -> PythonFrame:
    """A Python frame at ``file.py:12``; of the standard library for names of its modules."""
    name, _, line = place.rpartition(":")
    library = name.removesuffix(".py") in ("socketserver", "threading")
    folder = "/usr/lib/python3.12" if library else "/srv/app"
    return PythonFrame(function, f"{folder}/{name}", int(line), entry)


def native(function: str | None, module: str | None = "/usr/lib/libc.so.6") -> NativeFrame:
    """A native frame."""
    return NativeFrame(function, module, 0x7F1200001000, offset=0x1000)


def thread_stack() -> tuple[NativeFrame, ...]:
    """How a thread that waits for a Python lock looks from outside."""
    python_so = "/usr/lib/libpython3.12.so.1.0"
    return (
        native("__futex_abstimed_wait_common"),
        native("__new_sem_wait_slow64"),
        native("PyThread_acquire_lock_timed", python_so),
        native("_PyEval_EvalFrameDefault", python_so),
        native("run_exit_hooks()", "/srv/app/plugin.so"),
        native("_PyObject_MakeTpCall", python_so),
        native("_PyEval_EvalFrameDefault", python_so),
        native("_PyFunction_Vectorcall", python_so),
        native("thread_run", python_so),
        native("start_thread"),
        native("__clone3"),
    )


def lock_thread(tid: int, name: str, *frames: PythonFrame, still: bool = True) -> Thread:
    """A thread that waits in a futex."""
    return Thread(
        PID,
        tid,
        name,
        "S",
        syscall=Syscall("futex", "FUTEX_WAIT"),
        still=still,
        still_ms=52.0,
        python_stack=frames,
        native_stack=thread_stack(),
        is_python=True,
        cpu_ns=3_000_000,
        runs=12,
    )


def evidence(certainty: Certainty, text: str, where: str | None = None) -> Evidence:
    """Evidence from the interpreter."""
    return Evidence(Source.CPYTHON, certainty, text, where)


def wait(tid: int, target: NodeId, where: str, *, expires: bool = False) -> Wait:
    """A wait that the interpreter's own frames prove."""
    reading = evidence(
        Certainty.CERTAIN, "the lock is the argument of the acquire in frame 0", where
    )
    return Wait(thread_id(PID, tid), target, reading, expires)


def hold(resource: NodeId, tid: int, certainty: Certainty, text: str, where: str) -> Hold:
    """A hold."""
    return Hold(resource, thread_id(PID, tid), evidence(certainty, text, where))


def _threads() -> tuple[Thread, ...]:
    main = lock_thread(
        PID,
        "main",
        python("Cache.flush", "cache.py:88"),
        python("Cache.close", "cache.py:81"),
        python("shutdown", "train.py:140", entry=True),
        python("on_exit", "plugin.py:55"),
        python("<module>", "train.py:201", entry=True),
    )
    a = lock_thread(
        41880,
        "worker-a",
        python("Session.commit", "db.py:31", entry=True),
        python("run_task", "tasks.py:77", entry=True),
    )
    b = lock_thread(41881, "worker-b", python("Cache.get", "cache.py:40", entry=True))
    logger = lock_thread(
        41883,
        "logger",
        python("emit", "log.py:12", entry=True),
        python("run", "threading.py:1010", entry=True),
    )
    pool0 = replace(lock_thread(41884, "pool-0"), name="pool-0", is_python=False)
    pool1 = replace(
        lock_thread(41885, "pool-1", python("step", "pool.py:9", entry=True)),
        gil=GilState.WAITS,
        native_stack=None,
    )
    idle = Thread(
        PID, 41910, "tb.server", "S", syscall=Syscall("select"), python_stack=(
            python("serve_forever", "socketserver.py:235", entry=True),
        ), still=True, cpu_ns=9_000_000, runs=40,
    )  # fmt: skip
    return main, a, b, logger, pool0, pool1, idle


def deadlock(taken_at: str = TAKEN_AT) -> Capture:
    """Three threads in a ring of locks, two that wait behind them, one for the GIL, one idle."""
    process = Process(
        PID,
        1,
        ("/usr/bin/python3", "/srv/app/train.py", "--epochs", "90"),
        "S",
        python=PythonInfo("3.12.4"),
        user="ml",
        rss_bytes=812 * 2**20,
        cpu_percent=0.0,
        stopped_for_ms=0.0,
        threads=_threads(),
    )
    resources = (
        named(
            Resource(CACHE_LOCK, NodeKind.RLOCK, "Cache.lock (threading.RLock)", PID, 0x7F1C33B8)
        ),
        named(Resource(DB_LOCK, NodeKind.LOCK, "db_lock (threading.Lock)", PID, 0x7F1C33A0)),
        named(Resource(LOG_LOCK, NodeKind.RLOCK, "log_lock (threading.RLock)", PID, 0x7F1C3410)),
        named(Resource(GIL, NodeKind.GIL, "GIL", PID, 0x5581F0)),
        named(
            Resource(
                MUTEX, NodeKind.MUTEX, "mutex in fastdb.so", PID, 0x55D0A8, "/srv/app/fastdb.so"
            )
        ),
    )
    waits = (
        wait(PID, DB_LOCK, "/srv/app/cache.py:88"),
        wait(41880, LOG_LOCK, "/srv/app/db.py:31"),
        wait(41883, CACHE_LOCK, "/srv/app/log.py:12"),
        wait(41881, CACHE_LOCK, "/srv/app/cache.py:40"),
        wait(41884, MUTEX, "fastdb.c:207"),
        wait(41885, GIL, "/srv/app/pool.py:9"),
    )
    inside = "the frame is inside a with block of this lock"
    owner = "rlock_owner is this thread's ident"
    holds = (
        hold(DB_LOCK, 41880, Certainty.PROVEN, inside, "/srv/app/db.py:22"),
        hold(LOG_LOCK, 41883, Certainty.CERTAIN, owner, "/srv/app/log.py:9"),
        hold(CACHE_LOCK, PID, Certainty.CERTAIN, owner, "/srv/app/cache.py:87"),
        hold(MUTEX, 41880, Certainty.CERTAIN, "__owner is 41880", "fastdb.c:190"),
        hold(GIL, 41881, Certainty.CERTAIN, "the runtime's last holder", "/srv/app/cache.py:40"),
    )
    notices = (
        Notice("gdb", "native frames have no source lines", "apt-get install python3-dbg", PID),
    )
    return Capture(
        taken_at,
        "gpu-17",
        processes=(process,),
        resources=resources,
        waits=waits,
        holds=holds,
        notices=notices,
        took_ms=84.0,
    )


def first_facts() -> Capture:
    """What /proc tells before anything else has been read."""
    capture = deadlock()
    process = capture.processes[0]
    bare = tuple(
        replace(thread, python_stack=None, native_stack=None, still=None, gil=None, is_python=None)
        for thread in process.threads
    )
    return replace(
        capture,
        processes=(replace(process, threads=bare, stopped_for_ms=None, python=None),),
        resources=(),
        waits=(),
        holds=(),
        notices=(),
        pending=("cpython", "futex", "native"),
    )


def hostile() -> Capture:
    """Names that try to write to the terminal or to be markup."""
    capture = deadlock()
    process = capture.processes[0]
    threads = tuple(
        replace(
            thread,
            name=name,
            python_stack=(PythonFrame(name, f"/tmp/{name}", 1, entry=True),),
            native_stack=(native(name, f"/lib/{name}"), native("_PyEval_EvalFrameDefault")),
        )
        for thread, name in zip(process.threads, HOSTILE, strict=False)
    )
    resources = tuple(
        replace(item, label=name) for item, name in zip(capture.resources, HOSTILE, strict=False)
    )
    processes = (replace(process, cmdline=(HOSTILE[0], HOSTILE[1]), threads=threads),)
    notices = tuple(Notice(name, name, name) for name in HOSTILE)
    return replace(
        capture, processes=processes, resources=resources, notices=notices, host=HOSTILE[0]
    )


def hostile_crash() -> Capture:
    """The same names, and lines of 10,000 characters, wherever a crash has words."""
    capture = hostile()
    title, markup, cxx, module, wide, turned = HOSTILE
    long = "x[/]" * 2500
    process = capture.processes[0]
    thread = replace(
        process.threads[0],
        name=title,
        python_stack=(PythonFrame(long, f"/tmp/{title}", 1, entry=True),),
        native_stack=(native(cxx, f"/lib/{markup}"), native("_PyEval_EvalFrameDefault")),
    )
    crash = Crash(
        PID,
        Source.CORE,
        tid=thread.tid,
        signal=11,
        signal_name=title,
        code=markup,
        address=0x18,
        instruction=f"mov {cxx}, {long}",
        operand=Operand(module, "rdi", 0, 0x18, Access.READ, 8, object=wide),
        region=Region(True, 0, 0x1000, "rw-p", turned + long),
        registers=(Register("rdi", 0, PointerKind.NULL),),
        disassembly=(Instruction(1, f"{title} {long}", current=True),),
        mappings=(Region(True, 0, 0x1000, "rw-p", title + long),),
        bytes_at=0,
        data="1b5d303b7807ff",
        message=title + long,
        message_kind=MessageKind.C_LIBRARY,
        memory_limit_hit=markup,
        file=f"/tmp/{title}",
        text=long,
    )
    processes = (replace(process, threads=(thread, *process.threads[1:])),)
    return replace(capture, processes=processes, crash=crash)


def crashed() -> Capture:
    """A thread that read through a NULL pointer in an extension; the others wait."""
    capture = deadlock()
    process = capture.processes[0]
    module = "/srv/app/imgdec.so"
    loader = replace(
        process.threads[1],
        name="loader",
        python_stack=(
            python("load", "images.py:64", entry=True),
            python("__getitem__", "dataset.py:31", entry=True),
        ),
        native_stack=(
            replace(native("decode_row", module), package="imgdec 1.4", offset=0x41F2),
            native("decode_image", module),
            native("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0"),
            native("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0"),
            native("start_thread"),
        ),
    )
    crash = Crash(
        PID,
        Source.CORE,
        tid=loader.tid,
        signal=11,
        signal_name="SIGSEGV",
        code="SEGV_MAPERR",
        address=0x18,
        pc=0x7F09A1C041F2,
        instruction="mov rax,[rdi+0x18]",
        operand=Operand("[rdi+0x18]", "rdi", 0, 0x18, Access.READ, 8),
        region=Region(False, 0x55D0E4000000, 0x55D0E4021000, "rw-p", "[heap]", 0x55D0E3FFFFE8),
        registers=(
            Register("rax", 0, PointerKind.NULL),
            Register("rdi", 0, PointerKind.NULL),
            Register("rsi", 0x7F098C0008C0, PointerKind.HEAP),
            Register("rsp", 0x7F0A01FFE3A0, PointerKind.STACK),
            Register("rip", 0x7F09A1C041F2, PointerKind.CODE),
        ),
        disassembly=(
            Instruction(0x7F09A1C041EB, "mov rdi,[rsi+0x40]"),
            Instruction(0x7F09A1C041F2, "mov rax,[rdi+0x18]", current=True),
            Instruction(0x7F09A1C041F6, "imul rax,rdx"),
        ),
        mappings=(
            Region(False, 0x55D0E4000000, 0x55D0E4021000, "rw-p", "[heap]"),
            Region(False, 0x7F09A1C00000, 0x7F09A1C10000, "r-xp", module),
        ),
        bytes_at=0x7F09A1C041F0,
        data="488b4718480fafc2" * 3,
        message="free(): invalid pointer",
        message_kind=MessageKind.C_LIBRARY,
        faulthandler=False,
        file="/var/crash/core.41990",
    )
    threads = (process.threads[0], loader, *process.threads[2:])
    return replace(
        capture,
        processes=(replace(process, threads=threads),),
        waits=(),
        holds=(),
        resources=(),
        crash=crash,
        origin="/var/crash/core.41990",
    )


def many_threads(count: int) -> Capture:
    """Threads that wait for one lock, held by the first one."""
    lock = resource_id(NodeKind.LOCK, PID, 0x1000)
    threads = tuple(
        Thread(
            PID,
            PID + index,
            f"pool-{index}",
            "S",
            still=True,
            python_stack=(python("work", f"pool.py:{index % 7}", entry=True),),
            cpu_ns=3_000_000,
            runs=12,
        )
        for index in range(count)
    )
    process = Process(PID, 1, ("python3", "/srv/app/pool.py"), "S", threads=threads)
    return Capture(
        TAKEN_AT,
        "gpu-17",
        processes=(process,),
        resources=(named(Resource(lock, NodeKind.LOCK, "lock (threading.Lock)", PID, 0x1000)),),
        waits=tuple(wait(PID + index, lock, "/srv/app/pool.py:1") for index in range(1, count)),
        holds=(hold(lock, PID, Certainty.PROVEN, "inside a with block", "/srv/app/pool.py:0"),),
    )


def many_tasks(count: int) -> Capture:
    """Tasks of one event loop that wait for one lock, held by the first one."""
    loop = 0x10
    lock = resource_id(NodeKind.LOCK, PID, 0x1000)
    tasks = tuple(
        Task(
            PID,
            0x10000 + index,
            f"Task-{index}",
            "fetch" if index % 3 else f"refresh_{index % 50}",
            TaskState.WAITING,
            loop,
            PID,
            (python("fetch", f"jobs.py:{index % 7}"), python("main", "jobs.py:90")),
            "lock.acquire()",
        )
        for index in range(count)
    )
    thread = Thread(
        PID, PID, "MainThread", "S", still=True, python_stack=(python("select", "loop.py:9"),)
    )
    process = Process(PID, 1, ("python3", "/srv/app/jobs.py"), "S", threads=(thread,))
    facts = Evidence(Source.CPYTHON, Certainty.PROVEN, "it waits for it", "/srv/app/jobs.py:1")
    return Capture(
        TAKEN_AT,
        "gpu-17",
        processes=(process,),
        tasks=tasks,
        event_loops=(EventLoop(PID, loop, "asyncio.Loop", LoopState.IDLE, PID, None, 0, 0, 0),),
        resources=(named(Resource(lock, NodeKind.LOCK, "lock (asyncio.Lock)", PID, 0x1000)),),
        waits=tuple(Wait(task.id, lock, facts) for task in tasks[1:]),
        holds=(Hold(lock, tasks[0].id, facts),),
    )


def two_processes() -> Capture:
    """A server and its child, nothing stuck."""
    capture = deadlock()
    first = capture.processes[0]
    serving = replace(first, threads=first.threads[-1:])
    child = replace(
        serving,
        pid=41901,
        ppid=PID,
        cmdline=("python3", "-m", "loader"),
        threads=(replace(first.threads[-1], pid=41901, tid=41901, name="MainThread"),),
    )
    return replace(
        capture,
        processes=(serving, child),
        resources=(),
        waits=(),
        holds=(),
        notices=(),
    )
