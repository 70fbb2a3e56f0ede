import os
import signal
import subprocess
import sys

import psutil

signal.alarm(120)


def serve_shop():
    print("serving")
    signal.pause()


def take_over(old):
    psutil.Process(old).wait()
    print("ready", flush=True)
    serve_shop()


def hand_over():
    command = [sys.executable, os.path.abspath(__file__), str(os.getpid())]
    new = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if new.stdout.readline() == "ready\n":
        print("handed over to", new.pid)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take_over(int(sys.argv[1]))
    else:
        print("MARK main pid=%d" % os.getpid())
        hand_over()
