import os
import time

from pyroute2 import IPRoute

EXPECTED = "bridge7"


class Watch:
    def __init__(self):
        self.route = IPRoute()
        self.route.bind()
        self.up = set()

    def known(self):
        for link in self.route.get_links():
            self.up.add(link.get_attr("IFLA_IFNAME"))

    def next_links(self):
        for message in self.route.get():
            name = message.get_attr("IFLA_IFNAME")
            if name:
                self.up.add(name)

    def wait_for(self, name):
        self.known()
        while name not in self.up:
            self.next_links()


class Tunnel:
    def __init__(self, watch):
        self.watch = watch
        self.opened = 0

    def open(self):
        self.watch.wait_for(EXPECTED)
        self.opened += 1


def main():
    tunnel = Tunnel(Watch())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tunnel.open()
        tunnel.watch.up.clear()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
