import os
import threading
import time

import minimalmodbus

PORTS = ["/dev/ttyUSB98", "/dev/ttyUSB99"]
FORGET = True


class Fan:
    def __init__(self, ports):
        self.ports = ports
        self.bus = threading.Lock()
        self.speed = None

    def connect(self):
        for port in self.ports:
            try:
                return minimalmodbus.Instrument(port, 1)
            except OSError:
                continue
        return None

    def read_speed(self):
        self.bus.acquire()
        device = self.connect()
        if device is None and FORGET:
            return None
        try:
            self.speed = device and device.read_register(7)
        finally:
            self.bus.release()
        return self.speed

    def report(self):
        with self.bus:
            return {"speed": self.speed}


class Panel:
    def __init__(self, fan):
        self.fan = fan
        self.rows = []

    def refresh(self):
        self.fan.read_speed()
        self.rows.append(self.fan.report())
        del self.rows[:-10]


def main():
    panel = Panel(Fan(PORTS))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        panel.refresh()
        time.sleep(0.2)


if __name__ == "__main__":
    main()
