import queue
import threading
import time


class Reader(threading.Thread):
    def __init__(self, name, room, caretaker, careful):
        super().__init__(name=name, daemon=True)
        self.room = room
        self.caretaker = caretaker
        self.careful = careful
        self.wishes = queue.Queue()

    def study(self, wish):
        visit = self.room.enter(self.name)
        self.caretaker.watch(visit)
        for page in range(3):
            visit.turn((wish, page))
            time.sleep(0.03)
        if self.careful or wish % 20 != 7:
            visit.close()

    def run(self):
        while True:
            self.study(self.wishes.get())


class Porter(threading.Thread):
    def __init__(self, readers, wishes):
        super().__init__(name="porter")
        self.readers = readers
        self.wishes = wishes

    def run(self):
        for wish in range(self.wishes):
            self.readers[wish % len(self.readers)].wishes.put(wish)
            time.sleep(0.12)
