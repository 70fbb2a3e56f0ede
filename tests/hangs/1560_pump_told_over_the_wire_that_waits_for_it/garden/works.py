import time


class Basin:
    def __init__(self, pi, script):
        self.pi = pi
        self.script = script
        self.rounds = 0
        self.asked = False

    def fill(self):
        self.asked = True
        self.pi.run_script(self.script, [self.rounds])
        self.asked = False
        self.rounds += 1

    def work(self):
        while True:
            self.fill()
            time.sleep(0.05)


class Valve:
    def __init__(self, pi, pin):
        self.pi = pi
        self.pin = pin
        self.openings = 0

    def open(self):
        self.pi.gpio_trigger(self.pin, 10, 1)
        self.openings += 1

    def work(self, basin):
        while True:
            if basin.asked:
                self.open()
            time.sleep(0.05)


class Gauge:
    def __init__(self, basin):
        self.basin = basin
        self.readings = []

    def work(self):
        while True:
            self.readings.append(self.basin.rounds)
            del self.readings[:-20]
            time.sleep(0.2)
