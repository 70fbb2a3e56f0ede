import os
import signal
import threading
import time

from build import HERE, build

signal.alarm(120)


class Garden:
    def __init__(self, tank, rain):
        self.tank = tank
        self.rain = rain
        self.watered = []

    def collect_rain(self):
        for litres in self.rain:
            time.sleep(0.1)
            self.tank.fill(int(litres))

    def water(self, bed):
        self.tank.take(10)
        self.watered.append(bed)


def tend(tank, beds):
    garden = Garden(tank, ["12", "9", "-"])
    threading.Thread(target=garden.collect_rain, name="rain").start()
    for bed in beds:
        garden.water(bed)


if __name__ == "__main__":
    tank = build(os.path.join(HERE, "build", "main")).Tank()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    tend(tank, ["roses", "beans", "dill"])
