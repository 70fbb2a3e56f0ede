"""The words of findings that are not everybody's: where they occur, and what they mean."""

GLOSSARY: tuple[tuple[str, str, str], ...] = (
    ("certain", r"certain", "the kernel, the C library or the interpreter records it"),
    (
        "proven",
        r"proven",
        "it follows from the state of a frame's bytecode, or from facts that are certain",
    ),
    ("inferred", r"inferred", "a guess with reasons, which can be wrong"),
    ("cpython", r"cpython", "as a source: the interpreter's own records, read from its memory"),
    ("procfs", r"procfs", "as a source: the kernel's files under /proc"),
    (
        "GIL",
        r"GIL",
        "the interpreter's global lock: only the thread that holds it runs Python code",
    ),
    ("deadlock", r"[Dd]eadlock", "a ring of waits that none of its members can leave"),
    (
        "livelock",
        r"livelock",
        "everybody is awake and keeps trying, and nothing gets done",
    ),
    (
        "victim",
        r"waits? behind",
        ("a thread that only waits behind the problem found, and goes on once that is fixed"),
    ),
    ("contention", r"contention", "many threads want one lock and take turns holding it"),
    ("orphan", r"[Oo]rphan\w*|inherited through fork", "a lock whose owner does not exist"),
    ("mutex", r"mutex", "a lock of C code (pthread_mutex_t)"),
    (
        "rwlock",
        r"rwlock|write-lock|read-lock",
        ("a lock of C code that many readers or one writer may hold (pthread_rwlock_t)"),
    ),
    (
        "futex",
        r"futex",
        (
            "the system call in which threads sleep waiting for a lock; its word is the number "
            "in memory that tells whether the lock is free"
        ),
    ),
    ("semaphore", r"[Ss]emaphore|SemLock", "a counter: whoever wants to pass waits while it is 0"),
    ("reentrant", r"RLock|reentrant|recursive", "a lock that its holder may take again (RLock)"),
    (
        "condition",
        r"[Cc]ondition\.wait|notify",
        (
            "threads wait on it until another one notifies them; a notification that nobody "
            "waits for is lost"
        ),
    ),
    ("future", r"[Ff]uture", "stands for a result that another thread or task will set"),
    (
        "event loop",
        r"event loops?",
        ("the function that runs all tasks of a thread, one at a time"),
    ),
    ("task", r"tasks? \w+|asyncio|trio", "a coroutine that an event loop runs"),
    ("greenlet", r"[Gg]reenlets?", "a stack of its own in a thread: one of them runs at a time"),
    ("hub", r"gevent hub", "the greenlet that waits for timers and connections for all others"),
    (
        "finalizer",
        r"[Ff]inalizer|__del__",
        (
            "`__del__`, or a callback of a weak reference: code that runs when an object is "
            "destroyed"
        ),
    ),
    (
        "garbage collector",
        r"collector|gc\.",
        (
            "finds objects that only refer to each other, and "
            "frees them; it runs inside whatever function creates a new object"
        ),
    ),
    ("native", r"native", "code in C, C++, Cython, Rust, ..., as opposed to Python"),
    (
        "fork",
        r"fork\w*",
        (
            "a copy of a process, with one thread only: locks that other threads held "
            "stay locked in it"
        ),
    ),
    ("zombie", r"[Zz]ombies?", "a process that has ended, but was not reaped by its parent"),
    ("SIGSTOP", r"SIGSTOP|SIGCONT|state T", "signals that stop a process, and let it continue"),
    ("traced", r"ptrace|tracing stop|TracerPid", "held by a debugger"),
    ("state D", r"state D|uninterruptible", "asleep inside the kernel, deaf to every signal"),
    ("cgroup", r"cgroup", "the kernel's group of processes with common limits: a container, a job"),
    ("OOM killer", r"OOM|oom_kill", "the kernel, killing a process because memory ran out"),
    ("pipe", r"pipe", "carries bytes between processes; holds 64 KiB, then its writer waits"),
    ("fd", r"fd \d+", "the number by which a process refers to an open file, pipe or socket"),
    (
        "collective",
        r"collective|ranks?",
        ("an operation that all processes (ranks) of a job have to call together"),
    ),
    (
        "without a timeout",
        r"without a timeout|no timeout",
        ("only the awaited event ends the wait"),
    ),
    ("SIGSEGV", r"SIGSEGV", "the signal for an access to memory that is not there, or not allowed"),
    (
        "SIGABRT",
        r"SIGABRT|abort\(\)",
        ("the signal by which a program ends itself after a failed check"),
    ),
    ("SIGBUS", r"SIGBUS", "the signal for memory whose file or device has no data there"),
    ("SIGFPE", r"SIGFPE", "the signal for an impossible division"),
    ("SIGILL", r"SIGILL", "the signal for bytes that are no instruction of this processor"),
    ("NULL", r"NULL", "the pointer to nothing, address 0, as None in C"),
    (
        "heap",
        r"heap|malloc",
        "the memory that malloc hands out in blocks, with records between them",
    ),
    ("stack overflow", r"stack overflow", "nested calls until a thread's stack has no room"),
    (
        "register",
        r"\b(?:r[a-z0-9]{2}|x\d{1,2}|pc)\b = ",
        (
            "one of the processor's own few cells of storage (rax, rdi, ... of x86-64; x0, x1, "
            "... of aarch64); rip, or pc, has the address of the current instruction"
        ),
    ),
    ("core file", r"core file", "the memory of a process, written to a file when it crashed"),
)
"""Word, where it occurs, and what it means; in the order in which a reader meets them."""
