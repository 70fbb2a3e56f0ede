import os
import queue
import threading
import time

from watch.rounds import Gates, Night


class Bell(threading.Thread):
    def __init__(self, strokes):
        super().__init__(name="bell", daemon=True)
        self.strokes = strokes

    def run(self):
        while True:
            time.sleep(0.5)
            self.strokes.put(time.monotonic())


class Chronicle(threading.Thread):
    def __init__(self, strokes):
        super().__init__(name="chronicle", daemon=True)
        self.strokes = strokes
        self.lines = []

    def run(self):
        while True:
            self.lines.append(self.strokes.get())


def spend_night(graceful):
    strokes = queue.Queue()
    Bell(strokes).start()
    Chronicle(strokes).start()
    night = Night(Gates(5), graceful)
    watchman = threading.Thread(target=night.worker.start, name="watchman")
    watchman.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watchman.join()
