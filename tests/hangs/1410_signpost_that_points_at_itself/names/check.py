import os
import queue
import socket
import threading
import time

from dnslib import DNSRecord

from names.zone import Forwarding, Office, Zone

HOSTS = {"shop.home.": ("shop.home", "10.0.0.4"), "till.home.": ("till.home", "10.0.0.5")}
OUTSIDE = {"mill.abroad.": ("mill.abroad", "10.9.0.1")}


class Checker(threading.Thread):
    def __init__(self, address, names, found):
        super().__init__(name="checker", daemon=True)
        self.address = address
        self.names = names
        self.found = found

    def look_up(self, name):
        answer = DNSRecord.question(name).send(*self.address)
        return [str(one.rdata) for one in DNSRecord.parse(answer).rr]

    def run(self):
        while True:
            for name in self.names:
                self.found.put((name, self.look_up(name)))
                time.sleep(0.1)


class Meter(threading.Thread):
    def __init__(self):
        super().__init__(name="meter", daemon=True)
        self.ticks = 0

    def run(self):
        while True:
            self.ticks += 1
            time.sleep(0.5)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()


def main(looped):
    own = free_port()
    abroad = Office(Zone(OUTSIDE), ("127.0.0.1", 0)).open("abroad")
    upstream = own if looped else abroad.address
    home = Office(Forwarding(Zone(HOSTS), upstream), own).open("home")
    found = queue.Queue()
    Meter().start()
    Checker(home.address, ["shop.home", "till.home", "mill.abroad"], found).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        name, addresses = found.get()
        if not addresses:
            raise LookupError(name)
