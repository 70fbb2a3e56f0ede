"""A deadlock to measure on: threads in a ring, each holding a lock that the one before waits for.

    python benchmarks/ring.py [--threads N] [--depth N] [--clock]

Says "ready" once all of them wait. With --clock the main thread measures meanwhile for how long
the process stood still: for each line that it reads it prints the longest stop since the last one,
in milliseconds.
"""

import argparse
import select
import signal
import sys
import threading
import time

LIFE_S = 900
"""Nobody need end it."""


def wait_in_a_ring(count: int, depth: int) -> None:
    """Starts the threads, that many calls deep; returns once each holds its lock."""
    locks = [threading.Lock() for _ in range(count)]
    all_hold = threading.Barrier(count + 1)

    def take_two(index: int) -> None:
        with locks[index]:
            all_hold.wait()
            with locks[(index + 1) % count]:
                raise AssertionError("not a deadlock")

    def descend(index: int, calls: int) -> None:
        if calls:
            descend(index, calls - 1)
        else:
            take_two(index)

    for index in range(count):
        name = f"worker-{index + 1}"
        threading.Thread(target=descend, args=(index, depth), name=name, daemon=True).start()
    all_hold.wait()


def watch_the_clock() -> None:
    """Until the input ends: the longest time that this thread could not run."""
    longest = 0.0
    last = time.monotonic()
    while True:
        asked = select.select([sys.stdin], [], [], 0.001)[0]
        now = time.monotonic()
        longest, last = max(longest, now - last - 0.001), now
        if asked:
            if not sys.stdin.readline():
                return
            print(f"{longest * 1000:.1f}", flush=True)
            longest = 0.0


def main() -> None:
    """Hang."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--depth", type=int, default=0, help="calls below what waits")
    parser.add_argument("--clock", action="store_true")
    options = parser.parse_args()
    wait_in_a_ring(options.threads, options.depth)
    print("ready", flush=True)
    if options.clock:
        watch_the_clock()
    else:
        # Not on its standard input: hangtui would look at whoever has the other end as well.
        signal.alarm(LIFE_S)
        signal.pause()


if __name__ == "__main__":
    main()
