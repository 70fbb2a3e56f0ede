class Scout:
    def __init__(self, lock, ink):
        self.lock = lock
        self.ink = ink
        self.copies = []

    def copy(self):
        self.lock.acquire_read()
        try:
            colour = self.ink.get()
            self.copies.append(colour)
            del self.copies[:-10]
        finally:
            self.lock.release()

    def work(self):
        while True:
            self.copy()
