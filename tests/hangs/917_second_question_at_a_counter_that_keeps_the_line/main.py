import os
import threading
import time
from xmlrpc.client import ServerProxy
from xmlrpc.server import SimpleXMLRPCRequestHandler, SimpleXMLRPCServer

KEEP_THE_LINE = "HTTP/1.1"


class Counter(SimpleXMLRPCRequestHandler):
    protocol_version = KEEP_THE_LINE


class Harbour:
    def __init__(self):
        self.berths = dict.fromkeys(range(6))
        self.server = SimpleXMLRPCServer(
            ("127.0.0.1", 0), requestHandler=Counter, logRequests=False, allow_none=True
        )
        self.server.register_function(self.free_berths)
        self.server.register_function(self.moor)
        self.server.register_function(self.cast_off)

    def free_berths(self):
        return [number for number, ship in self.berths.items() if ship is None]

    def moor(self, number, ship):
        self.berths[number] = ship

    def cast_off(self, number):
        self.berths[number] = None

    def open(self):
        threading.Thread(target=self.server.serve_forever, name="harbour", daemon=True).start()
        return "http://127.0.0.1:%d" % self.server.server_address[1]


class Pilot:
    def __init__(self, address):
        self.enquiries = ServerProxy(address, allow_none=True)
        self.orders = ServerProxy(address, allow_none=True)

    def bring_in(self, ship):
        berth = self.enquiries.free_berths()[0]
        self.orders.moor(berth, ship)
        return berth

    def bring_out(self, berth):
        self.orders.cast_off(berth)


def main():
    pilot = Pilot(Harbour().open())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        berth = pilot.bring_in("Albatros")
        time.sleep(0.02)
        pilot.bring_out(berth)


if __name__ == "__main__":
    main()
