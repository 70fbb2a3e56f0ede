import os
import signal
import sys

import git

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def read_branches(address):
    return git.cmd.Git().ls_remote(address)


if __name__ == "__main__":
    port = start("silent_server")
    print("MARK main pid=%d" % os.getpid())
    read_branches(f"git://127.0.0.1:{port}/shop.git")
