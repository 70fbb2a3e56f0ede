"""Threads that sleep in system calls of which a debugger's stop must not wake any.

On each line of its standard input it says how often any of them was woken for nothing. With the
argument ``spin`` one more thread computes; a number adds as many threads that wait for a lock;
``deadlock`` adds two that wait for each other.
"""

import ctypes
import sys
import threading

from ready import native_library, ready

LEFT_ALONE = (0, 1, 2, 3, 4, 5)
GO_ON = (6, 7, 8, 9, 10, 12)
SPIN = 11


def take_both(one, other):
    with one:
        both.wait()
        with other:
            pass


library = ctypes.CDLL(native_library("interruptible.c", "libinterruptible.so"))
kinds = LEFT_ALONE + GO_ON + ((SPIN,) if "spin" in sys.argv else ())
for kind in kinds:
    threading.Thread(target=library.wait_in, args=(kind,), daemon=True).start()
for word in sys.argv[1:]:
    for _ in range(int(word) if word.isdigit() else 0):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
if "deadlock" in sys.argv:
    first, second, both = threading.Lock(), threading.Lock(), threading.Barrier(3)
    for pair in (first, second), (second, first):
        threading.Thread(target=take_both, args=pair, daemon=True).start()
    both.wait()
ready()
for _ in sys.stdin:
    print(sum(library.woken_for_nothing(kind) for kind in kinds), flush=True)
threading.Event().wait()
