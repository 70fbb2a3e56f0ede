import json
import threading
import time

import websocket

from lift import Lift


class Passenger(threading.Thread):
    def __init__(self, name, port):
        super().__init__(name=name, daemon=True)
        self.port = port
        self.trips = 0

    def travel(self, wire, floor):
        wire.send(json.dumps({"floor": floor}))
        while True:
            heard = json.loads(wire.recv())
            if "at" in heard:
                return
            wire.send(json.dumps({"answer": "yes", "number": heard["number"]}))

    def run(self):
        wire = websocket.create_connection("ws://127.0.0.1:%d" % self.port)
        while True:
            self.travel(wire, self.trips % 7)
            self.trips += 1
            time.sleep(0.2)


class Cleaner(threading.Thread):
    def __init__(self):
        super().__init__(name="cleaner", daemon=True)

    def run(self):
        while True:
            time.sleep(1)


def run(asks):
    lift = Lift(asks)
    Cleaner().start()
    for name in ("ida", "otto"):
        Passenger(name, lift.port).start()
    lift.server.serve_forever()
