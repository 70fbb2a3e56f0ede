"""Start a stub server of this folder as a process of its own, and say where it listens."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def start(name, *arguments):
    """The port of the stub *name*, which lives as long as nobody ends it."""
    command = [sys.executable, "-u", os.path.join(HERE, name + ".py"), *map(str, arguments)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    return int(server.stdout.readline())
