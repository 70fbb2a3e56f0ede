import os
import signal
import threading
import time

from gpiozero import Button, Device
from gpiozero.pins.mock import MockFactory

signal.alarm(120)


class Gate:
    def __init__(self):
        self.ring = Button(2)
        self.confirm = Button(3)
        self.opened = threading.Event()
        self.ring.when_pressed = self.let_in

    def let_in(self):
        self.confirm.wait_for_press()
        self.opened.set()


def visit(pins):
    for pin in pins:
        time.sleep(0.1)
        pin.drive_low()


def watch(gate):
    gate.opened.wait()
    return "open"


if __name__ == "__main__":
    Device.pin_factory = MockFactory()
    gate = Gate()
    pins = [Device.pin_factory.pin(2), Device.pin_factory.pin(3)]
    threading.Thread(target=visit, args=(pins,), name="visitor").start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(watch(gate))
