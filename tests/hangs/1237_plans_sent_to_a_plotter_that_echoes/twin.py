import os

import serial

SIZE = 3000


class Plotter:
    def __init__(self):
        self.port = serial.serial_for_url("loop://", baudrate=115200)
        self.sheets = 0

    def upload(self, plan):
        self.port.write(plan)
        self.port.flush()

    def verify(self, plan):
        return self.port.read(len(plan)) == plan

    def plot(self, plan):
        self.upload(plan)
        if self.verify(plan):
            self.sheets += 1


if __name__ == "__main__":
    plotter = Plotter()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        plotter.plot(bytes(range(250)) * (SIZE // 250))
