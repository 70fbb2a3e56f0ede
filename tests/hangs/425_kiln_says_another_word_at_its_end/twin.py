import os
import signal
import threading
import time

import pynng

signal.alarm(120)
ADDRESS = "ipc:///tmp/kiln-%d" % os.getpid()


def fire_kiln(ready):
    with pynng.Pair0(listen=ADDRESS) as line:
        ready.set()
        program = line.recv().decode()
        for degrees in map(int, program.split()):
            line.send(b"at %d" % degrees)
            time.sleep(0.05)
        line.send(b"done")
        line.recv()


def run_firing(degrees):
    with pynng.Pair0(dial=ADDRESS) as line:
        line.send(" ".join(map(str, degrees)).encode())
        while line.recv() != b"done":
            pass
        line.send(b"thanks")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        ready = threading.Event()
        kiln = threading.Thread(target=fire_kiln, args=(ready,), name="kiln", daemon=True)
        kiln.start()
        ready.wait()
        run_firing([200, 600, 1050])
        kiln.join()
