import os
import pty
import signal
import threading
import time

signal.alarm(120)

log = threading.Lock()


def report(text):
    with log:
        os.write(1, text.encode() + b"\n")


def measure():
    while True:
        report("93 degrees")
        time.sleep(0.05)


def brew():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=measure, name="thermometer", daemon=True).start()
    while True:
        report("brewing")
        time.sleep(0.03)


def look_on(terminal):
    for look in range(1000):
        os.write(1, os.read(terminal, 1000))
        if look == 20:
            os.write(terminal, b"\x13")
            time.sleep(1000)


if __name__ == "__main__":
    child, terminal = pty.fork()
    if child == 0:
        signal.alarm(120)
        brew()
    else:
        look_on(terminal)
