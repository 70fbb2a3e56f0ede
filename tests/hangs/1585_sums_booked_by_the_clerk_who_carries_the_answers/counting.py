import threading
from concurrent.futures import ProcessPoolExecutor


def weigh(sack):
    total = 0
    for grain in range(20000):
        total += (grain * sack) % 7
    return sack, total


class Granary:
    """Sacks are weighed in other processes, and booked as they come back."""

    def __init__(self):
        self.pool = ProcessPoolExecutor(2)
        self.book_lock = threading.Lock()
        self.book = {}
        self.errors = 0

    def store(self, sack):
        future = self.pool.submit(weigh, sack)
        future.add_done_callback(self.booked)
        return future

    def booked(self, future):
        sack, total = future.result()
        with self.book_lock:
            self.book[sack] = total

    def sample(self, sacks):
        return [self.pool.submit(weigh, sack).result()[1] for sack in sacks]

    def close_book(self, sacks, outside):
        if outside:
            probe = self.sample(sacks)
            with self.book_lock:
                return probe, dict(self.book)
        with self.book_lock:
            probe = self.sample(sacks)
            return probe, dict(self.book)
