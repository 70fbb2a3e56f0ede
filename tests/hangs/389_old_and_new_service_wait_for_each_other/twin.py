import os
import signal
import subprocess
import sys
import time

import psutil

signal.alarm(120)


def take_over(old):
    while psutil.pid_exists(old):
        print("ready", flush=True)
        time.sleep(0.1)


def hand_over():
    command = [sys.executable, os.path.abspath(__file__), str(os.getpid())]
    new = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while new.stdout.readline() == "ready\n":
        pass


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take_over(int(sys.argv[1]))
    else:
        print("MARK main pid=%d" % os.getpid())
        hand_over()
