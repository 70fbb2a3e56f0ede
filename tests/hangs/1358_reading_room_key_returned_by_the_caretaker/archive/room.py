import threading
import time


class Room:
    """One visit at a time; a visit may ask for the room again."""

    def __init__(self):
        self.key = threading.RLock()
        self.visits = 0
        self.refused = []

    def enter(self, reader):
        self.key.acquire()
        self.visits += 1
        return Visit(self, reader)

    def leave(self):
        self.key.release()


class Visit:
    def __init__(self, room, reader):
        self.room = room
        self.reader = reader
        self.since = time.monotonic()
        self.pages = []
        self.over = False

    def turn(self, page):
        self.pages.append(page)

    def close(self):
        if not self.over:
            self.over = True
            self.room.leave()


class Caretaker(threading.Thread):
    def __init__(self, room, patience):
        super().__init__(name="caretaker", daemon=True)
        self.room = room
        self.patience = patience
        self.visits = []

    def watch(self, visit):
        self.visits.append(visit)

    def sweep(self):
        for visit in list(self.visits):
            if visit.over or time.monotonic() - visit.since > self.patience:
                self.visits.remove(visit)
                visit.close()

    def run(self):
        while True:
            time.sleep(0.3)
            try:
                self.sweep()
            except RuntimeError as error:
                self.room.refused.append(str(error))
