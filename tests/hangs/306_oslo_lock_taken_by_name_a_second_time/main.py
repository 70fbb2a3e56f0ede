import os
import signal

from oslo_concurrency import lockutils

signal.alarm(120)

volumes = {"root": "vm-1", "data": None}


@lockutils.synchronized("volumes")
def list_volumes():
    return sorted(volumes)


@lockutils.synchronized("volumes")
def attach_volume(name, machine):
    if name in list_volumes():
        volumes[name] = machine


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    attach_volume("data", "vm-2")
