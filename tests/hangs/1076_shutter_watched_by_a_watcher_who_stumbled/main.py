import os
import queue
import threading

from ophyd.status import Status

READINGS = [3, 9, None, 12]


class Shutter:
    def __init__(self):
        self.orders = queue.Queue()
        self.position = 0

    def set(self, target):
        status = Status(self)
        self.orders.put((target, status))
        return status


class Watcher(threading.Thread):
    def __init__(self, shutter, readings):
        super().__init__(name="watcher", daemon=True)
        self.shutter = shutter
        self.readings = readings

    def run(self):
        while True:
            _, status = self.shutter.orders.get()
            for reading in self.readings:
                self.shutter.position = reading + 0.5
            status.set_finished()


class Scan:
    def __init__(self, shutter):
        self.shutter = shutter

    def move(self, target):
        moved = self.shutter.set(target)
        moved.wait()
        return self.shutter.position

    def run(self, targets):
        return [self.move(target) for target in targets]


def main():
    shutter = Shutter()
    watcher = Watcher(shutter, READINGS)
    watcher.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Scan(shutter).run([10, 0])


if __name__ == "__main__":
    main()
