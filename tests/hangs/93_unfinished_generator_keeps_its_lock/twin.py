import os
import signal
import threading
import time

signal.alarm(120)


class Camera:
    def __init__(self):
        self.lock = threading.Lock()
        self.last = None

    def read_frames(self):
        with self.lock:
            for number in range(100):
                yield number

    def find_match(self, wanted):
        frames = self.read_frames()
        for frame in frames:
            if frame == wanted:
                self.last = frame
                return frame


def run_test(camera):
    for wanted in (3, 5):
        camera.find_match(wanted)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_test(Camera())
        time.sleep(0.01)
