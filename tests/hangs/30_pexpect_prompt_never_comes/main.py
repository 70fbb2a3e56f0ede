import os
import signal
import sys
import time

import pexpect

signal.alarm(120)
SHELL = """
import time
if %r:
    input("New password: ")
while True:
    input("$ ")
"""


def open_shell(expired):
    return pexpect.spawn(sys.executable, ["-c", SHELL % expired], timeout=None)


def log_in(shell):
    shell.expect_exact("$ ")


def keep_shell(expired):
    shell = open_shell(expired)
    log_in(shell)
    while True:
        shell.sendline("date")
        log_in(shell)
        time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    keep_shell(expired=True)
