import os
import signal
import threading
import time

signal.alarm(120)


class Heartbeat:
    def __init__(self, interval):
        self.interval = interval
        self.stopped = threading.Event()
        self.beats = 0
        self.thread = threading.Thread(target=self.send_beats, name="heartbeat")

    def start(self):
        self.thread.start()

    def stop(self):
        self.stopped.set()
        self.thread.join()

    def send_beats(self):
        while not self.stopped.wait(self.interval):
            self.beats += 1


def run_job(seconds):
    heartbeat = Heartbeat(0.2)
    heartbeat.start()
    time.sleep(seconds)
    heartbeat.stop()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_job(1)
