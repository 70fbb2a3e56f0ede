"""Python that C code calls, which Python calls: each thread waits at the end of one way in."""

import ctypes
import functools
import threading

from ready import ready

forever = threading.Event()
libc = ctypes.CDLL(None)
COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def wait(*_arguments, **_names):
    forever.wait()
    return 0


def by_ctypes():
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    libc.qsort(numbers, 3, 4, COMPARE(wait))


def by_sorting():
    sorted([3, 1, 2], key=lambda number: max([number], key=wait))


def by_class():
    class Slow:
        def __init__(self):
            self.ready = self.compute()

        def __getattr__(self, name):
            return functools.partial(wait, name)

        def compute(self):
            return list(self)

        def __iter__(self):
            yield from self.numbers()

        def numbers(self):
            yield self.slow()

    Slow()


def by_text():
    exec(compile("eval('outer()')", "<text>", "exec"), {"outer": wait})


def by_recursion():
    def down(depth):
        return down(depth - 1) if depth else wait()

    down(30)


def by_destruction():
    class Last:
        def __del__(self):
            wait()

    last = [Last()]
    del last


def by_comparison():
    class Number:
        def __lt__(self, other):
            return sorted([other.value, 1], key=wait) == []

        value = 1

    sorted([Number(), Number()])


ways = [by_ctypes, by_sorting, by_class, by_text, by_recursion, by_destruction, by_comparison]
for way in ways:
    threading.Thread(target=way, name=way.__name__, daemon=True).start()
ready()
forever.wait()
