"""What the others share."""

import queue
import threading


class Board:
    def __init__(self):
        self.done = threading.Condition()

    def finish(self):
        with self.done:
            self.done.notify_all()  # notifies


paid = threading.Event()
jobs = queue.Queue(1)
board = Board()
