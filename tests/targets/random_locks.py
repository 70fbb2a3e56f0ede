"""Random programs that take locks with ``with`` and then block for good, one on each thread.

    random_locks.py SEED THREADS MODE TRUTH

When all threads have blocked, the file TRUTH gets a JSON object: for each thread by its name the
addresses of the locks that were locked when it blocked. Every thread has locks of its own, so that
those are the ones it holds. MODE: ``plain``, ``hot`` (each program runs hundreds of times, so that
the interpreter specialises its code), ``lines``, ``opcodes`` (traced), or ``monitoring``.
"""

import contextlib
import json
import random
import sys
import threading

from ready import ready

LOCKS = 8
DEPTH = 4
HOT_RUNS = 400


class Suppressing:
    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return True


@contextlib.contextmanager
def entered(lock):
    with lock:
        yield lock


class Guard:
    def __init__(self, lock):
        self.lock = lock

    def __enter__(self):
        self.lock.acquire()
        return self

    def __exit__(self, *problem):
        self.lock.release()


class Writer:
    """Writes the source of one random program; every ``tick()`` in it may be the one that blocks.

    A lock is never taken where it is held already.
    """

    def __init__(self, choice):
        self.random = choice
        self.held = set()
        self.functions = 0

    def program(self):
        return "def program():\n" + "\n".join(self.block(DEPTH, 1)) + "\n"

    def block(self, depth, indent):
        lines = []
        for _ in range(self.random.choice((1, 1, 2, 3))):
            kind = self.random.choice(self.KINDS) if depth else Writer.tick
            lines += kind(self, depth - 1, indent)
        return lines

    def free(self, count):
        """Locks that may be taken here, or None."""
        free = [number for number in range(LOCKS) if number not in self.held]
        return self.random.sample(free, count) if len(free) >= count else None

    def inside(self, taken, depth, indent):
        """A block in which *taken* are held."""
        self.held |= set(taken)
        lines = self.block(depth, indent)
        self.held -= set(taken)
        return lines

    def tick(self, depth, indent):
        return [" " * indent + "tick()"]

    def with_one(self, depth, indent):
        taken, pad = self.free(1), " " * indent
        if taken is None:
            return self.tick(depth, indent)
        how = self.random.choice(("L[%d]", "L[%d] as x", "entered(L[%d])", "Guard(L[%d]) as g"))
        head = [pad + "with %s:" % (how % taken[0]), pad + " tick()"]
        return head + self.inside(taken, depth, indent + 1)

    def with_two(self, depth, indent):
        taken, pad = self.free(2), " " * indent
        if taken is None:
            return self.tick(depth, indent)
        first = "Suppressing(), " if self.random.random() < 0.3 else ""
        head = [pad + "with %sL[%d], L[%d]:" % (first, taken[0], taken[1])]
        last = [pad + " raise ValueError", pad + "tick()"] if first else []
        return head + self.inside(taken, depth, indent + 1) + last

    def with_raising(self, depth, indent):
        taken, pad = self.free(1), " " * indent
        if taken is None:
            return self.tick(depth, indent)
        return [
            pad + "try:",
            pad + " with L[%d]:" % taken[0],
            *self.inside(taken, depth, indent + 2),
            pad + "  raise KeyError",
            pad + "except KeyError:",
            pad + " tick()",
            pad + "finally:",
            *self.block(depth, indent + 1),
        ]

    def try_except(self, depth, indent):
        pad = " " * indent
        name = self.random.choice(("", " as error"))
        fails = [pad + " raise ValueError"] if self.random.random() < 0.7 else []
        otherwise = [pad + "else:", *self.block(depth, indent + 1)] if not fails else []
        return [
            pad + "try:",
            *self.block(depth, indent + 1),
            *fails,
            pad + "except ValueError%s:" % name,
            *self.block(depth, indent + 1),
            *otherwise,
        ]

    def try_finally(self, depth, indent):
        pad = " " * indent
        body, end = self.block(depth, indent + 1), self.block(depth, indent + 1)
        return [pad + "try:", *body, pad + "finally:", pad + " tick()", *end]

    def loop(self, depth, indent):
        pad = " " * indent
        head, last = self.random.choice(
            (
                ("for i in range(2):", []),
                ("for i in range(2):", ["continue"]),
                ("for i in range(2):", ["if coin(): break"]),
                ("while True:", ["break"]),
                ("while True:", ["if coin(): continue", "break"]),
            )
        )
        return [pad + head, *self.block(depth, indent + 1), *[pad + " " + line for line in last]]

    def branch(self, depth, indent):
        pad = " " * indent
        body, other = self.block(depth, indent + 1), self.block(depth, indent + 1)
        return [pad + "if coin():", *body, pad + "else:", *other]

    def call(self, depth, indent):
        """A function that returns from the midst of whatever it is inside of."""
        pad, self.functions = " " * indent, self.functions + 1
        name, taken = "function_%d" % self.functions, self.free(1)
        inner = [pad + " for i in range(2):"]
        if taken is None:
            inner += [*self.block(depth, indent + 2), pad + "  if coin(): return i"]
        else:
            inner += [
                pad + "  with L[%d]:" % taken[0],
                *self.inside(taken, depth, indent + 3),
                pad + "   if coin(): return i",
                pad + "  tick()",
            ]
        ends = self.random.choice(([], [pad + " return tick()"]))
        return [pad + "def %s():" % name, *inner, *ends, pad + "%s()" % name]

    def return_through_finally(self, depth, indent):
        pad, self.functions = " " * indent, self.functions + 1
        name = "function_%d" % self.functions
        return [
            pad + "def %s():" % name,
            pad + " try:",
            *self.block(depth, indent + 2),
            pad + "  return 1",
            pad + " finally:",
            *self.block(depth, indent + 2),
            pad + "%s()" % name,
        ]

    def expression(self, depth, indent):
        text = self.random.choice(
            ("(lambda: tick())()", "[tick() for i in range(2)]", "sum(tick() or 0 for i in (1, 2))")
        )
        return [" " * indent + text]

    KINDS = (
        *(with_one, with_one, with_one, with_two, with_two, with_raising, with_raising, try_except),
        *(try_finally, loop, loop, branch, call, return_through_finally, expression),
    )


def write_program(choice):
    """A program that compiles: blocks can be nested too deeply for older interpreters."""
    while True:
        source = Writer(choice).program()
        try:
            return compile(source, "<random>", "exec")
        except SyntaxError:
            continue


class Thread(threading.Thread):
    """Runs one random program up to the tick at which it blocks."""

    def __init__(self, number, seed, mode, blocked):
        super().__init__(name="random-%d" % number, daemon=True)
        choice = random.Random("%d %d" % (seed, number))
        self.code = write_program(choice)
        self.mode, self.blocked, self.coins = mode, blocked, choice
        self.ticks = choice.randrange(200, 4000) if mode == "hot" else choice.randrange(1, 40)
        self.locks = [threading.Lock() for _ in range(LOCKS)]
        self.gate = threading.Lock()

    def block(self):
        self.gate.acquire()
        held = [id(lock) for lock in self.locks if lock.locked()]
        self.blocked.append((self.name, held))
        if len(self.blocked) == self.blocked.wanted:
            self.blocked.all.set()
        self.gate.acquire()

    def tick(self):
        self.ticks -= 1
        if self.ticks <= 0:
            self.block()

    def run(self):
        names = {
            "L": self.locks,
            "tick": self.tick,
            "coin": lambda: self.coins.random() < 0.5,
            "Suppressing": Suppressing,
            "entered": entered,
            "Guard": Guard,
        }
        exec(self.code, names)
        if self.mode in ("lines", "opcodes"):
            sys.settrace(self.trace)
        for _ in range(HOT_RUNS if self.mode == "hot" else 1):
            names["program"]()
        self.block()

    def trace(self, frame, event, argument):
        if self.mode == "opcodes":
            frame.f_trace_opcodes = True
        return self.trace


class Blocked(list):
    """What the threads that have blocked say they hold."""

    def __init__(self, wanted):
        super().__init__()
        self.wanted, self.all = wanted, threading.Event()


def monitor():
    """Have the interpreter report everything that it does (3.12 on)."""
    events = sys.monitoring.events
    sys.monitoring.use_tool_id(3, "random locks")
    wanted = events.LINE | events.INSTRUCTION | events.RAISE | events.JUMP | events.CALL
    wanted |= events.PY_START | events.PY_RETURN
    for event in (1 << bit for bit in range(20)):
        if wanted & event:
            sys.monitoring.register_callback(3, event, lambda *arguments: None)
    sys.monitoring.set_events(3, wanted)


def main():
    seed, count, mode, truth = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    if mode == "monitoring":
        monitor()
    blocked = Blocked(count)
    for number in range(count):
        Thread(number, seed, mode, blocked).start()
    blocked.all.wait()
    with open(truth, "w") as stream:
        json.dump(dict(blocked), stream)
    ready()
    threading.Event().wait()


if __name__ == "__main__":
    main()
