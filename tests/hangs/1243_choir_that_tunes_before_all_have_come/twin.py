import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

VOICES = 2


class Concert:
    def __init__(self, songs):
        self.pitch = threading.Barrier(VOICES)
        self.choir = ThreadPoolExecutor(4, thread_name_prefix="voice", initializer=self.tune)
        self.songs = songs

    def tune(self):
        self.pitch.wait()

    def sing(self, song):
        time.sleep(0.1)
        return len(song)

    def rehearse(self):
        parts = [self.choir.submit(self.sing, song) for song in self.songs]
        return sum(part.result() for part in parts)


if __name__ == "__main__":
    concert = Concert(["dawn", "harvest"])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        concert.rehearse()
