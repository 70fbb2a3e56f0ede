import time

from func_timeout import FunctionTimedOut, func_timeout


class Quay:
    def __init__(self, scale):
        self.scale = scale
        self.landed = 0
        self.refused = []

    def land(self, crates):
        for crate in range(crates):
            try:
                func_timeout(1.0, self.scale.weigh, args=(crate,))
            except FunctionTimedOut:
                self.refused.append(crate)
                return
            self.landed += 1

    def close_day(self):
        self.scale.tare()


class Gauge:
    def __init__(self, quay):
        self.quay = quay
        self.seen = 0

    def work(self):
        while True:
            self.seen = self.quay.landed
            time.sleep(0.5)
