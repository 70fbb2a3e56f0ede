import os
import signal
import sys
import time

from meters import Meters

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def report_readings(meters, readings):
    for house, value in readings:
        meters.report(house, value)
    for one in meters.sent:
        one.result()
    meters.sent.clear()


if __name__ == "__main__":
    os.environ["PUBSUB_EMULATOR_HOST"] = "127.0.0.1:%d" % start("publish_server")
    meters = Meters(outstanding=50, batch=4)
    print("MARK main pid=%d" % os.getpid())
    while True:
        report_readings(meters, [("house-%d" % number, 7.5) for number in range(12)])
        time.sleep(0.1)
