import os
import time

import pyttsx3.engine


class Voice:
    def __init__(self):
        self.engine = None

    def borrow(self):
        if self.engine is None or FRESH:
            self.engine = pyttsx3.engine.Engine("dummy")
        return self.engine


class Platform:
    def __init__(self, voice):
        self.voice = voice
        self.said = []

    def announce(self, train, minutes):
        engine = self.voice.borrow()
        engine.say("train %s is %d minutes late" % (train, minutes))
        engine.runAndWait()
        self.said.append(train)


class Station:
    def __init__(self):
        self.platform = Platform(Voice())
        self.delays = {"R1": 4, "R7": 11, "S3": 2}

    def evening(self):
        for train, minutes in self.delays.items():
            self.platform.announce(train, minutes)
            time.sleep(0.05)


FRESH = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    station = Station()
    while True:
        station.evening()
