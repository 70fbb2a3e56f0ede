import threading

lock = threading.Lock()
lines = []


class Seal:
    def __init__(self, lock, lines):
        self.lock = lock
        self.lines = lines

    def __del__(self):
        with self.lock:
            self.lines.append("closed")


seal = Seal(lock, lines)
