import threading


class Rack:
    """Bottles of one wine; may be counted while somebody takes one."""

    def __init__(self, wine):
        self.wine = wine
        self.bottles = 12
        self.guard = threading.Lock()

    def take(self):
        with self.guard:
            self.bottles = (self.bottles or 12) - 1

    def __getstate__(self):
        with self.guard:
            return {"wine": self.wine, "bottles": self.bottles}

    def __setstate__(self, state):
        self.__dict__.update(state, guard=threading.Lock())
