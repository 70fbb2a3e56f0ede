import os
import signal
import sys

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
SCANNER = DBusAddress("/scanner", bus_name="org.shop.Scanner", interface="org.shop.Scanner")


class Till:
    def __init__(self, bus):
        self.bus = bus

    def next_code(self):
        asked = new_method_call(SCANNER, "NextCode")
        return self.bus.send_and_get_reply(asked).body[0]

    def ring_up(self, amount):
        return [self.next_code() for _ in range(amount)]


if __name__ == "__main__":
    path = "/tmp/shop-bus-%d" % os.getpid()
    start("bus_server", path, "slow")
    with open_dbus_connection("unix:path=" + path) as bus:
        print("MARK main pid=%d" % os.getpid())
        while True:
            Till(bus).ring_up(3)
