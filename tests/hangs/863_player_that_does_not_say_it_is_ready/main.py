import os
import signal

from club import Club

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Club(100000).evening()
