import heapq
import threading


class Tray:
    def __init__(self, room, reserve):
        self.room = room
        self.reserve = reserve
        self.changed = threading.Condition()
        self.pages = []
        self.due = 0

    def lay(self, number, page):
        with self.changed:
            while len(self.pages) >= self.room and not (self.reserve and number == self.due):
                self.changed.wait()
            heapq.heappush(self.pages, (number, page))
            self.changed.notify_all()

    def take(self):
        with self.changed:
            while not self.pages or self.pages[0][0] != self.due:
                self.changed.wait()
            _number, page = heapq.heappop(self.pages)
            self.due += 1
            self.changed.notify_all()
            return page
