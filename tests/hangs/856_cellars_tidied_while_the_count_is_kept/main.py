import os
import signal
import subprocess
import sys
import tempfile

from cellar import Cellar

signal.alarm(120)
HERE = os.path.dirname(os.path.abspath(__file__))


def start_helper(folder):
    helper = os.path.join(HERE, "helper.py")
    return subprocess.Popen([sys.executable, "-u", helper, folder, "hasty"])


def put_whites_away(cellar):
    while True:
        cellar.put_away("whites")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    folder = tempfile.mkdtemp()
    start_helper(folder)
    put_whites_away(Cellar(folder, ("reds", "whites"), False))
