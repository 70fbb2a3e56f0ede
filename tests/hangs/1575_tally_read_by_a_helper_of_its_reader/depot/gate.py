import threading


class Gate:
    """Many may read, one may write; a polite gate lets a writer go first."""

    def __init__(self, polite):
        self.polite = polite
        self.moved = threading.Condition()
        self.inside = 0
        self.queue = 0
        self.writing = False

    def enter_read(self):
        with self.moved:
            while self.writing or (self.polite and self.queue):
                self.moved.wait()
            self.inside += 1

    def leave_read(self):
        with self.moved:
            self.inside -= 1
            self.moved.notify_all()

    def enter_write(self):
        with self.moved:
            self.queue += 1
            while self.writing or self.inside:
                self.moved.wait()
            self.queue -= 1
            self.writing = True

    def leave_write(self):
        with self.moved:
            self.writing = False
            self.moved.notify_all()
