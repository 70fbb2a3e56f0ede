import os
import signal
import sys
import time

from influxdb_client import InfluxDBClient, Point
from influxdb_client.client.write_api import WriteOptions

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Meter:
    def __init__(self, address):
        self.client = InfluxDBClient(address, token="secret", org="shop", timeout=3_600_000)
        options = WriteOptions(batch_size=5, flush_interval=200)
        self.writer = self.client.write_api(write_options=options)

    def note(self, value):
        self.writer.write("meters", "shop", Point("heat").field("value", value))

    def close(self):
        self.writer.close()
        self.client.close()


def measure(address, count):
    meter = Meter(address)
    for number in range(count):
        meter.note(20 + number % 3)
        time.sleep(0.02)
    meter.close()


if __name__ == "__main__":
    address = "http://127.0.0.1:%d" % start("http_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        measure(address + "/small", 20)
