import threading
from contextlib import contextmanager


class Gate:
    """Many who read, or one who writes."""

    def __init__(self):
        self.turn = threading.Condition()
        self.readers = 0
        self.writing = False

    @contextmanager
    def reading(self):
        with self.turn:
            while self.writing:
                self.turn.wait()
            self.readers += 1
        try:
            yield
        finally:
            with self.turn:
                self.readers -= 1
                self.turn.notify_all()

    @contextmanager
    def writing_now(self):
        """For one who reads already."""
        with self.turn:
            while self.writing or self.readers > 1:
                self.turn.wait()
            self.writing = True
        try:
            yield
        finally:
            with self.turn:
                self.writing = False
                self.turn.notify_all()
