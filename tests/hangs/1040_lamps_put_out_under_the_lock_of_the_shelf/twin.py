import os
import socket
import threading
import time

from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf

KIND = "_lamp._tcp.local."
IN_LOCK = False


class Lamps:
    def __init__(self):
        self.shelf = threading.Lock()
        self.seen = {}
        self.arrived = threading.Event()

    def add_service(self, zeroconf, kind, name):
        self.arrived.set()
        time.sleep(0.3)
        with self.shelf:
            self.seen[name] = kind

    def remove_service(self, zeroconf, kind, name):
        self.seen.pop(name, None)

    def update_service(self, zeroconf, kind, name):
        self.seen[name] = kind


class House:
    def __init__(self):
        self.lamps = Lamps()
        self.net = Zeroconf(interfaces=["127.0.0.1"])

    def light(self):
        lamp = ServiceInfo(KIND, "hall." + KIND, addresses=[socket.inet_aton("127.0.0.1")], port=9)
        self.net.register_service(lamp)

    def look_around(self):
        self.browser = ServiceBrowser(self.net, KIND, self.lamps)
        self.lamps.arrived.wait()

    def go_dark(self):
        if IN_LOCK:
            with self.lamps.shelf:
                self.browser.cancel()
        else:
            self.browser.cancel()
        self.net.close()


def evening():
    house = House()
    house.light()
    house.look_around()
    house.go_dark()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evening()


if __name__ == "__main__":
    main()
