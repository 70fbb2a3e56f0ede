import os
import signal
import sys

from meter import Meter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def read_registers(meter, numbers):
    return {number: meter.ask(number) for number in numbers}


if __name__ == "__main__":
    meter = Meter(start("silent_server"))
    print("MARK main pid=%d" % os.getpid())
    print(read_registers(meter, (40, 41, 42)))
