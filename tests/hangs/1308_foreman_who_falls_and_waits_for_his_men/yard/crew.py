import queue
import threading
import time


class Saw(threading.Thread):
    def __init__(self, logs, boards, hardest):
        super().__init__(name="saw")
        self.logs = logs
        self.boards = boards
        self.hardest = hardest

    def cut(self, log):
        time.sleep(0.01)
        if log % 100 >= self.hardest:
            raise RuntimeError("blade broken")
        return log * 4

    def run(self):
        while True:
            log = self.logs.get()
            if log is None:
                break
            self.boards.put(self.cut(log))
        self.boards.put(None)


class Stacker(threading.Thread):
    def __init__(self, boards):
        super().__init__(name="stacker")
        self.boards = boards
        self.height = 0

    def run(self):
        while (board := self.boards.get()) is not None:
            self.height = (self.height + board) % 1000


class Yard:
    def __init__(self, hardest):
        self.logs, self.boards = queue.Queue(20), queue.Queue(20)
        self.closed = threading.Event()
        self.crew = [Saw(self.logs, self.boards, hardest), Stacker(self.boards)]
        threading.excepthook = self.accident

    def accident(self, details):
        self.closed.set()
        self.logs.put(None)
        for one in self.crew:
            if one is not threading.current_thread():
                one.join()

    def season(self):
        for one in self.crew:
            one.start()
        log = 0
        while not self.closed.wait(0.01):
            log += 1
            self.logs.put(log)
        for one in self.crew:
            one.join()
