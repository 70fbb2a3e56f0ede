import os
import signal
import sys
import time

import paho.mqtt.client as mqtt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Greenhouse:
    def __init__(self, port):
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, "greenhouse")
        self.client.connect("127.0.0.1", port, keepalive=3600)
        self.client.loop_start()

    def tell(self, degrees):
        note = self.client.publish("greenhouse/degrees", str(degrees), qos=1)
        note.wait_for_publish()


def measure(greenhouse, values):
    for degrees in values:
        greenhouse.tell(degrees)


if __name__ == "__main__":
    greenhouse = Greenhouse(start("mqtt_broker"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        measure(greenhouse, [21.5, 22.0])
        time.sleep(0.02)
