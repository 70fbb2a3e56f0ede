import multiprocessing
import threading
import time

FORK = multiprocessing.get_context("fork")


class Copyist:
    """Writes the board down in a child process, when it has been asked."""

    def __init__(self, board):
        self.board = board
        self.wanted = []
        self.change = threading.Lock()
        self.copies = 0

    def order(self):
        ready = threading.Event()
        with self.change:
            self.wanted.append(ready)
        return ready

    def write(self):
        return sorted(self.board.rooms)

    def copy_all(self):
        with self.change:
            wanted, self.wanted = self.wanted, []
        if not wanted:
            return
        child = FORK.Process(target=self.write)
        child.start()
        child.join()
        self.copies += 1
        for ready in wanted:
            ready.set()


class Stairs:
    def __init__(self, board):
        self.board = board
        self.steps = 0

    def sweep(self):
        while True:
            self.steps += 1
            time.sleep(0.2)


class Porter:
    def __init__(self, board, copyist, out_with_keys):
        self.board = board
        self.copyist = copyist
        self.out_with_keys = out_with_keys
        self.rounds = 0

    def inspect(self, number):
        with self.board.whole:
            self.board.take(number)
            ready = self.copyist.order()
            if self.out_with_keys and self.rounds > 3:
                ready.wait()
            self.board.put_back(number)
        ready.wait()

    def work(self):
        while True:
            self.inspect(self.rounds % 12)
            self.rounds += 1
            time.sleep(0.1)
