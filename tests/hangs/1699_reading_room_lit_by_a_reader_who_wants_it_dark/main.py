import os
import threading
import time

from library.room import Room

FRESH = True


class Reader(threading.Thread):
    def __init__(self, room, title, pace):
        super().__init__(name="reader-" + title, daemon=True)
        self.room = room
        self.title = title
        self.pace = pace
        self.seen = []

    def run(self):
        while True:
            self.seen.append(self.room.read(self.title))
            del self.seen[:-10]
            time.sleep(self.pace)


class Editor(threading.Thread):
    def __init__(self, room):
        super().__init__(name="editor", daemon=True)
        self.room = room
        self.known = -1

    def run(self):
        while True:
            time.sleep(0.5)
            latest = self.room.correct("almanac", self.known)
            if FRESH:
                self.known = latest


class Binder(threading.Thread):
    def __init__(self, room):
        super().__init__(name="binder", daemon=True)
        self.room = room

    def run(self):
        while True:
            time.sleep(0.7)
            self.room.revise("hymnal")


def main():
    room = Room()
    crew = [Reader(room, "atlas", 0.1), Reader(room, "hymnal", 0.2), Editor(room), Binder(room)]
    for member in crew:
        member.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    crew[-1].join()


if __name__ == "__main__":
    main()
