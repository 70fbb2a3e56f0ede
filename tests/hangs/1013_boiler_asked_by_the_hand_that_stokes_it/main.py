import os
import time

from bacpypes.core import deferred, run
from bacpypes.iocb import IOCB, IOController
from bacpypes.task import RecurringTask

AT_ONCE = False


class Boiler(IOController):
    def __init__(self):
        super().__init__(name="boiler")
        self.degrees = 60

    def process_io(self, iocb):
        self.active_io(iocb)
        if AT_ONCE:
            self.measure(iocb)
        else:
            deferred(self.measure, iocb)

    def measure(self, iocb):
        self.degrees = 60 + int(time.time()) % 10
        self.complete_io(iocb, self.degrees)


class Stoker(RecurringTask):
    def __init__(self, boiler):
        super().__init__(200)
        self.boiler = boiler
        self.readings = []
        self.install_task()

    def read_degrees(self):
        iocb = IOCB("degrees")
        self.boiler.request_io(iocb)
        iocb.wait()
        return iocb.ioResponse

    def process_task(self):
        self.readings.append(self.read_degrees())
        del self.readings[:-10]


def main():
    stoker = Stoker(Boiler())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run()
    print(stoker.readings)


if __name__ == "__main__":
    main()
