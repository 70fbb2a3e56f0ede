import time


class BadFrame(Exception):
    pass


class Detector:
    def __init__(self, ring, pace):
        self.ring = ring
        self.pace = pace
        self.hits = 0
        self.skipped = 0

    def handle(self, frame):
        time.sleep(self.pace)
        if frame[0] == 0:
            raise BadFrame(frame[:4])
        self.hits += frame[1] > 128

    def run(self):
        while True:
            try:
                self.ring.process(self.handle)
            except BadFrame:
                self.skipped += 1


def detect(ring, pace):
    Detector(ring, pace).run()
