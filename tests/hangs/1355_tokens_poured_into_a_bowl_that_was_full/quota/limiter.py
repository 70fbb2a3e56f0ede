import threading
import time


class Limiter:
    """So many calls in a span, poured in anew by a thread."""

    def __init__(self, tokens, span):
        self.tokens = threading.BoundedSemaphore(tokens)
        self.size = tokens
        self.span = span
        self.spent = 0
        self.guard = threading.Lock()

    def spend(self):
        self.tokens.acquire()
        with self.guard:
            self.spent += 1

    def due(self):
        with self.guard:
            due, self.spent = self.spent, 0
        return due


class Refill(threading.Thread):
    def __init__(self, limiter, exact):
        super().__init__(name="refill", daemon=True)
        self.limiter = limiter
        self.exact = exact

    def pour(self):
        due = self.limiter.due()
        for _ in range(due if self.exact else self.limiter.size + 1):
            self.limiter.tokens.release()

    def run(self):
        while True:
            time.sleep(self.limiter.span)
            self.pour()
