"""Start a stub server of this folder, no child of the program, and say where it listens."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHER = "import subprocess, sys; subprocess.Popen(sys.argv[1:])"


def start(name, *arguments):
    """The port of the stub *name*, which lives as long as nobody ends it."""
    server = [sys.executable, "-u", os.path.join(HERE, name + ".py"), *map(str, arguments)]
    launched = subprocess.Popen([sys.executable, "-c", LAUNCHER, *server], stdout=subprocess.PIPE)
    port = int(launched.stdout.readline())
    launched.stdout.close()
    launched.wait()
    return port
