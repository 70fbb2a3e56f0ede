import threading


class Catalogue:
    def __init__(self, pictures):
        self.door = threading.Lock()
        self.pictures = list(pictures)
        self.loans = {}

    def pages(self, size):
        with self.door:
            for start in range(0, len(self.pictures), size):
                yield self.pictures[start : start + size]

    def add(self, picture):
        with self.door:
            self.pictures.append(picture)
            del self.pictures[:-200]

    def lend(self, picture, house):
        with self.door:
            self.loans[picture] = house
