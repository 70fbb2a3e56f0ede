import os
import signal
import sys

import paho.mqtt.client as mqtt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def answer_request(client, userdata, message):
    info = client.publish("answers", b"yes", qos=1)
    return info


def serve_requests(port):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, "answerer")
    client.on_message = answer_request
    client.connect("127.0.0.1", port, keepalive=3600)
    client.subscribe("requests")
    client.loop_forever()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    serve_requests(start("mqtt_broker"))
