import os
import signal

from meters import Meters

signal.alarm(120)

os.environ["PUBSUB_EMULATOR_HOST"] = "127.0.0.1:9"


def report_readings(meters, readings):
    for house, value in readings:
        meters.report(house, value)
    meters.finish()


if __name__ == "__main__":
    meters = Meters(outstanding=5, batch=20)
    print("MARK main pid=%d" % os.getpid())
    report_readings(meters, [("house-%d" % number, 7.5) for number in range(12)])
