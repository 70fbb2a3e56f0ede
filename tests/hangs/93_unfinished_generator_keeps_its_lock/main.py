import os
import signal
import threading

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
                self.last = frames
                return frame


def run_test(camera):
    for wanted in (3, 5):
        camera.find_match(wanted)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_test(Camera())
