import json
import os
import sys
import threading

from awscrt import io, mqtt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import stub

WAIT_FOR_RECEIPT = False


class Boiler:
    def __init__(self):
        self.target = 19
        self.orders = 0
        self.changed = threading.Event()

    def set_target(self, degrees):
        self.target = degrees
        self.orders += 1
        self.changed.set()


class Thermostat:
    def __init__(self, port):
        loops = io.EventLoopGroup(1)
        resolver = io.DefaultHostResolver(loops)
        client = mqtt.Client(io.ClientBootstrap(loops, resolver))
        self.boiler = Boiler()
        self.connection = mqtt.Connection(
            client, host_name="127.0.0.1", port=port, client_id="hall", keep_alive_secs=1000
        )

    def connect(self):
        self.connection.connect().result()
        done, _ = self.connection.subscribe("requests", mqtt.QoS.AT_MOST_ONCE, self.on_request)
        done.result()

    def on_request(self, topic, payload, **rest):
        self.boiler.set_target(len(payload))
        self.follow("rooms/%d" % self.boiler.target)

    def follow(self, room):
        done, _ = self.connection.subscribe(room, mqtt.QoS.AT_MOST_ONCE, self.on_room)
        if WAIT_FOR_RECEIPT:
            done.result()

    def on_room(self, topic, payload, **rest):
        self.boiler.set_target(json.loads(payload)["degrees"])


def run_house(thermostat):
    thermostat.connect()
    while True:
        thermostat.boiler.changed.wait()
        thermostat.boiler.changed.clear()


def main():
    thermostat = Thermostat(stub.start("mqtt_broker"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_house(thermostat)


if __name__ == "__main__":
    main()
