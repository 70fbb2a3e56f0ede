import threading
import time


class Siding:
    """Lets wagons through in the order of their numbers."""

    def __init__(self):
        self.moved = threading.Condition()
        self.due = 0

    def enter(self, number):
        with self.moved:
            while number != self.due:
                self.moved.wait()

    def leave(self, number):
        with self.moved:
            self.due = number + 1
            self.moved.notify_all()


class Books:
    def __init__(self):
        self.lock = threading.Lock()
        self.weights = []
        self.audits = 0

    def enter(self, number, weight):
        with self.lock:
            self.weights.append((number, weight))
            del self.weights[:-100]

    def audit(self):
        while True:
            with self.lock:
                self.audits += 1
            time.sleep(0.2)
