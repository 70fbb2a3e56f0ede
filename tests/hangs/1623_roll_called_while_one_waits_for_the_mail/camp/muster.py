import contextlib
import threading


class Muster:
    """Calls all together: everybody stands still until the roll is read."""

    def __init__(self):
        self.change = threading.Condition()
        self.enrolled = 0
        self.standing = 0
        self.away = 0
        self.called = False

    def enrol(self):
        with self.change:
            self.enrolled += 1

    def pass_by(self):
        with self.change:
            if not self.called:
                return
            self.standing += 1
            self.change.notify_all()
            while self.called:
                self.change.wait()
            self.standing -= 1

    @contextlib.contextmanager
    def leave_of_absence(self):
        with self.change:
            self.away += 1
            self.change.notify_all()
        try:
            yield
        finally:
            with self.change:
                while self.called:
                    self.change.wait()
                self.away -= 1

    def call(self):
        with self.change:
            self.called = True
            while self.standing + self.away < self.enrolled:
                self.change.wait()

    def dismiss(self):
        with self.change:
            self.called = False
            self.change.notify_all()
