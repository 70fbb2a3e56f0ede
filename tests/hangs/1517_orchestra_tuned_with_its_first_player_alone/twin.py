import multiprocessing
import os
import queue
import threading
from concurrent.futures import ProcessPoolExecutor

PLAYERS = 3


def tune(gate):
    global words
    words = {number: "word-%d" % number for number in range(2000)}
    gate.wait()


def play(bar):
    return [words[number % 2000] for number in bar]


class Orchestra:
    """Splits prompts into words, in processes."""

    def __init__(self):
        context = multiprocessing.get_context("spawn" if LATE else "fork")
        self.gate = context.Barrier(PLAYERS)
        self.pool = ProcessPoolExecutor(
            PLAYERS, mp_context=context, initializer=tune, initargs=(self.gate,)
        )

    def perform(self, bar):
        return self.pool.submit(play, bar).result()


class Concert:
    def __init__(self, orchestra):
        self.orchestra = orchestra
        self.bars = queue.Queue(8)
        self.heard = queue.Queue()

    def conduct(self):
        while True:
            self.heard.put(self.orchestra.perform(self.bars.get()))

    def listen(self, start):
        self.bars.put(range(start, start + 50))
        return self.heard.get()


def main():
    concert = Concert(Orchestra())
    threading.Thread(target=concert.conduct, name="conductor", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    start = 0
    while True:
        concert.listen(start)
        start += 1


LATE = False


if __name__ == "__main__":
    main()
