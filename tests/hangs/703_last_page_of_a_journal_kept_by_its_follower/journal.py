import threading


class Journal:
    def __init__(self, lock):
        self.lock = lock
        self.lines = []

    def add(self, line):
        self.lines.append(line)

    def write(self):
        with self.lock:
            self.lines.clear()

    def __del__(self):
        self.write()


writing = threading.Lock()
current = Journal(writing)
