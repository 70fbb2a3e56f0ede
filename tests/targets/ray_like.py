"""ray_like.py MODE: processes of a cluster that wait for each other's answers, or merely for one.

"ring": two actors, each in a method, wait for each other, and the program for both; "wait": the
same in `ray.wait`; "choice": one of them also waits for somebody else's answer; "itself": an actor
waits for a method of its own; "busy": an actor computes, and the program waits for it; "timeout",
"wait_timeout": the rings, but the waits end; "unplaced": the program waits for plain tasks, and its
only worker has nothing to do; "placed": the worker runs one; "nested": two workers run tasks that
wait for tasks, and a third has nothing to do; "kept": it waits for an actor, the only worker, that
waits for tasks; "next": the program waits for one answer after another; "idle": nobody waits;
"group": it waits until a placement group is ready, which it has made, and its only worker has
nothing to do; "in_group": it has made one, and waits for a task; "async": calls of ``async``
methods of two actors wait for each other; "blocked": one blocks its event loop until another call
of its actor returns, which has not begun; "awaits": an ``async`` method awaits a result of an actor
that computes; "infeasible", "coming": as "unplaced", and the scheduler of the node has written that
no node has what tasks ask for, and in "infeasible" its autoscaler, that it has none to add;
"kept_all": as "kept", and the scheduler has written that a task waits for a CPU, of which none is
free; "in_library": so has it, and the task that has it waits for a dataset; "asks", "asks_at_once":
as "busy", by calls of remote methods; "taken": the program waits for an actor, which is in a method
that waits for what another one of its methods would do; "taken_by_nobody": so is the actor, and
nobody waits for it.
"""

import asyncio
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import threading

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from ray._private import worker
from ray.data import dataset

mode = sys.argv[1]
ACTORS = [worker.ActorID(bytes([n]) * 12 + b"\1\0\0\0") for n in (1, 2)]
TASK = b"\7" * 8
PLAIN = worker.ObjectRef(TASK + b"\xff" * 12 + b"\1\0\0\0" + b"\1\0\0\0")


def result_of(actor):
    return worker.ObjectRef(TASK + actor + b"\1\0\0\0")


class Cart:
    def __init__(self, other=None, timeout=None, more=()):
        self.other = other
        self.filled = threading.Condition()
        self.more = more
        self.timeout = timeout

    def reserve(self):
        worker.get([result_of(self.other)], self.timeout)

    def choose(self):
        worker.wait([result_of(one) for one in (self.other, *self.more)], timeout=self.timeout)

    def take(self):
        with self.filled:
            self.filled.wait()

    def put(self):
        with self.filled:
            self.filled.notify()

    def count(self):
        while True:
            sum(range(1000))

    async def price(self):
        future = concurrent.futures.Future()
        future.object_ref = result_of(self.other)
        await asyncio.wrap_future(future)

    async def close(self):
        begin(next_of(self.own, 9), self.price())
        worker.get([next_of(self.own, 9)])


def begin(task, coroutine):
    """Have the actor's event loop run a call."""
    future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    worker.global_worker.core_worker.calls[worker.TaskID(task[:24])] = future


def run_async(cart, own, method):
    """Run a method as Ray does: its event loop has a thread of its own."""
    global loop
    loop, cart.own = asyncio.new_event_loop(), own
    threading.Thread(target=loop.run_forever, name="AsyncIO Thread: default").start()
    begin(result_of(own), getattr(cart, method)())


def next_of(actor, number):
    return worker.ObjectRef(TASK[:4] + number.to_bytes(4, "little") + actor + b"\1\0\0\0")


def outer():
    worker.get([PLAIN])


class Method:
    def __init__(self, own):
        self.own = own

    def remote(self, number):
        return result_of(self.own)


class Handle:
    def __init__(self, own):
        self.add = Method(own)


def buy(cart):
    reference = cart.add.remote(1)
    worker.get([reference])


def buy_at_once(cart):
    worker.get([cart.add.remote(1)])


class PlacementGroup:
    def __init__(self, bundles):
        self.bundle_cache = bundles

    def ready(self):
        return PLAIN


def reserve(bundles):
    group = PlacementGroup(bundles)
    worker.get([group.ready()])


class Function:
    def options(self, **_):
        return self

    def remote(self):
        return PLAIN


def use(bundles, price):
    group = PlacementGroup(bundles)
    group.ready()
    worker.get([price.options(num_cpus=1).remote()])


def train():
    while True:
        sum(range(1000))


def actor(own, cart, method=None):
    """A process of the cluster: returns its PID in the parent."""
    pid = os.fork()
    if pid:
        return pid
    import signal

    import ready as _  # noqa: F401

    signal.alarm(100)
    if own:
        worker.global_worker.actors[own] = cart
    if method in ("price", "close"):
        run_async(cart, own, method)
        method = None
    worker.global_worker.main_loop(method and getattr(cart, method))
    os._exit(0)


def summarize():
    dataset.Dataset().sum()


def scheduler(*counts, refuses=False, user=None):
    """The node's own program, whose logs say what it cannot place."""
    fifo = os.environ.get("HANGTUI_READY")
    folder = os.path.dirname(fifo) if fifo else tempfile.mkdtemp()
    os.makedirs(os.path.join(folder, "logs"))
    asked = "{'CPU': 1.0, 'GPU': 1.0}"
    no = "No available node types can fulfill resource request %s. Add one.\n" % asked
    report = "=== Autoscaler status: now ===\nActive:\n 1 node_a\nTotal Usage:\n 1.0/1.0 CPU\n\n"
    report += "Pending Demands:\n %s: 2+ pending tasks/actors\n%s" % (asked, no * refuses)
    state = "Infeasible queue length: %d\nnum_waiting_for_resource: %d\n" % counts
    if user:
        state += "Resource usage {\n    - (language=PYTHON actor_or_tasksummarize pid=%d" % user
        state += " worker_id=1a): {CPU: 1}\n}\n"
    for name, text in (("debug_state.txt", state), ("monitor.log", report)):
        with open(os.path.join(folder, "logs", name), "w") as stream:
            stream.write(text)
    program = os.path.join(folder, "raylet")
    os.symlink("/bin/sh", program)
    options = ["--session_dir=" + folder, "--static_resource_list=node:10.0.0.1,1.0,CPU,1"]
    subprocess.Popen([program, "-c", "sleep 100; :", *options])


first, second = ACTORS
if mode in ("ring", "timeout"):
    limit = 50.0 if mode == "timeout" else None
    actor(first, Cart(second, limit), "reserve")
    actor(second, Cart(first, limit), "reserve")
elif mode in ("wait", "choice", "wait_timeout"):
    limit = 50.0 if mode == "wait_timeout" else None
    third = worker.ActorID(bytes([3]) * 12 + b"\1\0\0\0")
    actor(first, Cart(second, limit, [third] if mode == "choice" else ()), "choose")
    actor(second, Cart(first, limit), "choose")
elif mode == "itself":
    actor(first, Cart(first), "reserve")
elif mode in ("busy", "next", "asks", "asks_at_once", "future"):
    actor(first, Cart(), "count")
elif mode in ("taken", "taken_by_nobody"):
    actor(first, Cart(), "take")
elif mode == "idle":
    actor(first, Cart())
elif mode == "async":
    actor(first, Cart(second), "price")
    actor(second, Cart(first), "price")
elif mode == "blocked":
    actor(first, Cart(second), "close")
elif mode == "awaits":
    actor(first, Cart(second), "price")
    actor(second, Cart(), "count")
elif mode in ("kept", "kept_all"):
    actor(first, sys.modules["__main__"], "outer")
    if mode == "kept_all":
        scheduler(0, 1)
elif mode == "in_library":
    scheduler(0, 1, user=actor(None, sys.modules["__main__"], "summarize"))
elif mode in ("unplaced", "group", "in_group", "infeasible", "coming"):
    actor(None, None)
    if mode in ("infeasible", "coming"):
        scheduler(2, 0, refuses=mode == "infeasible")
elif mode == "nested":
    for method in ("outer", "outer", None):
        actor(None, sys.modules["__main__"], method)
elif mode == "placed":
    actor(None, sys.modules["__main__"], "train")
ready()
if mode == "ring":
    worker.get([result_of(first), result_of(second)])
elif mode in ("wait", "choice", "wait_timeout"):
    worker.wait([result_of(first), result_of(second)], num_returns=2)
elif mode == "group":
    reserve([{"CPU": 1.0}, {"CPU": 2.5, "GPU": 1}])
elif mode == "in_group":
    use([{"CPU": 1.0}], Function())
elif mode == "next":
    worker.global_worker.answers_after, number = 0.05, 0
    while True:
        number += 1
        worker.get([next_of(first, number)])
elif mode == "future":
    future = concurrent.futures.Future()
    future.object_ref = result_of(first)
    future.result()
elif mode.startswith("asks"):
    (buy if mode == "asks" else buy_at_once)(Handle(first))
elif mode in ("idle", "taken_by_nobody"):
    threading.Event().wait()
else:
    plain = mode in ("placed", "unplaced", "nested", "infeasible", "coming", "in_library")
    worker.get([PLAIN, PLAIN] if plain else [result_of(first)])
