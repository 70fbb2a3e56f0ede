import os
import signal
import threading

import pynng

signal.alarm(120)
ADDRESS = "ipc:///tmp/kiln-%d" % os.getpid()


def fire_kiln(ready):
    with pynng.Pair0(listen=ADDRESS) as line:
        ready.set()
        program = line.recv().decode()
        for degrees in map(int, program.split()):
            line.send(b"at %d" % degrees)
        line.send(b"cold")


def run_firing(degrees):
    with pynng.Pair0(dial=ADDRESS) as line:
        line.send(" ".join(map(str, degrees)).encode())
        while line.recv() != b"done":
            pass


if __name__ == "__main__":
    ready = threading.Event()
    kiln = threading.Thread(target=fire_kiln, args=(ready,), name="kiln", daemon=True)
    kiln.start()
    ready.wait()
    print("MARK main pid=%d" % os.getpid())
    run_firing([200, 600, 1050])
