import queue
import threading
import time

from pebble import ProcessPool


def draw(motif):
    time.sleep(0.02)
    return "line of %s" % motif


def tint(line):
    time.sleep(0.02)
    return "%s in blue" % line


class Atelier:
    """Draws by its helpers, and has each drawing tinted by them as well."""

    def __init__(self, helpers, by_master):
        self.pool = ProcessPool(max_workers=helpers)
        self.by_master = by_master
        self.drawn = queue.Queue()
        self.finished = queue.Queue()
        self.hung = 0

    def tinted(self, future):
        self.finished.put(self.pool.schedule(tint, args=(future.result(),)).result())

    def order(self, motif):
        future = self.pool.schedule(draw, args=(motif,))
        future.add_done_callback(self.drawn.put if self.by_master else self.tinted)

    def master(self):
        while True:
            self.tinted(self.drawn.get())

    def hang_next(self):
        picture = self.finished.get()
        self.hung += 1
        return picture

    def exhibition(self):
        threading.Thread(target=self.master, name="master", daemon=True).start()
        number = 0
        while True:
            number += 1
            self.order("motif %d" % number)
            self.hang_next()


class Visitors(threading.Thread):
    def __init__(self):
        super().__init__(name="visitors", daemon=True)
        self.come = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.come += 1
