import os
import signal

from checks import DiskSuite

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    DiskSuite(9000).run()
