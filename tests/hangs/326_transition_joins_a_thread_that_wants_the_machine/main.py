import os
import signal
import threading
import time

from transitions.extensions import LockedMachine

signal.alarm(120)


class Door:
    closing = False

    def watch_sensor(self):
        while not self.closing:
            self.measure()

    def start_sensor(self):
        self.sensor = threading.Thread(target=self.watch_sensor, name="sensor", daemon=True)
        self.sensor.start()

    def stop_sensor(self):
        time.sleep(0.1)
        self.closing = True
        self.sensor.join()


def build_door():
    door = Door()
    machine = LockedMachine(door, states=["open", "closed"], initial="open")
    machine.add_transition("measure", "*", "=")
    machine.add_transition("close", "open", "closed", before="stop_sensor")
    return door


def close_door(door):
    door.close()


if __name__ == "__main__":
    door = build_door()
    door.start_sensor()
    print("MARK main pid=%d" % os.getpid())
    close_door(door)
