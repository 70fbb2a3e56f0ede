import os
import signal
import threading
import time

import can

signal.alarm(120)


def follow_frames(bus, seen):
    while frame := bus.recv():
        seen[frame.arbitration_id] = frame.data


def send_wake_up(bus, units):
    for unit in units:
        bus.send(can.Message(arbitration_id=0x600 + unit, data=[0x40]))
        time.sleep(0.1)


def leave_bus(bus):
    bus.shutdown()


if __name__ == "__main__":
    bus = can.ThreadSafeBus("plant", interface="virtual")
    reader = threading.Thread(target=follow_frames, args=(bus, {}), name="frames", daemon=True)
    reader.start()
    print("MARK main pid=%d" % os.getpid())
    send_wake_up(bus, [1, 2, 3])
    leave_bus(bus)
