import os
import signal
import sys

import pexpect

signal.alarm(120)
LISTING = "for n in range(%d): print('file', n, 'x' * 60)"


def list_files(count):
    child = pexpect.spawn(sys.executable, ["-c", LISTING % count])
    status = child.wait()
    child.close()
    return status


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    list_files(5000)
