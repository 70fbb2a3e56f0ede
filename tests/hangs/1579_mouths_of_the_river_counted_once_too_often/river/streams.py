import threading
import time


class Stream(threading.Thread):
    def __init__(self, number, spring, mouth, careful):
        super().__init__(name="stream-%d" % number, daemon=True)
        self.spring = spring
        self.mouth = mouth
        self.careful = careful

    def run(self):
        if not self.spring:
            if self.careful:
                self.mouth.close()
            return
        for water in range(self.spring):
            self.mouth.pour(water)
            time.sleep(0.01)
        self.mouth.close()


class Delta:
    def __init__(self, channel):
        self.channel = channel
        self.gathered = 0
        self.days = 0

    def gather(self):
        try:
            while True:
                self.gathered += self.channel.take()
        except EOFError:
            return self.gathered

    def rest(self):
        while True:
            time.sleep(0.2)
            self.days += 1


class Gauge(threading.Thread):
    def __init__(self, channel):
        super().__init__(name="gauge", daemon=True)
        self.channel = channel
        self.levels = []

    def run(self):
        while True:
            self.levels.append(len(self.channel.water))
            del self.levels[:-20]
            time.sleep(0.3)
