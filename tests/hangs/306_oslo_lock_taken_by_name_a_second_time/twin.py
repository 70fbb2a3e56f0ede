import os
import signal
import time

from oslo_concurrency import lockutils

signal.alarm(120)

volumes = {"root": "vm-1", "data": None}


@lockutils.synchronized("names")
def list_volumes():
    time.sleep(0.02)
    return sorted(volumes)


@lockutils.synchronized("volumes")
def attach_volume(name, machine):
    if name in list_volumes():
        volumes[name] = machine


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        attach_volume("data", "vm-2")
