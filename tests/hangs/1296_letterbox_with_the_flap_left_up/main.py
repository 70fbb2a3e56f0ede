import itertools
import os
import queue
import signal
import subprocess
import sys
import tempfile

from post.box import Letterbox
from post.senders import Heating, Poster, report

COLLECTOR = """
import mailbox, sys, time
box = mailbox.mbox(sys.argv[1])
box.lock()
print("taken", flush=True)
if sys.argv[2] == "off":
    box.unlock()
time.sleep(600)
"""
FLAP = "on"


def main():
    path = os.path.join(tempfile.mkdtemp(), "letters")
    open(path, "w").close()
    collector = subprocess.Popen(
        [sys.executable, "-c", COLLECTOR, path, FLAP], stdout=subprocess.PIPE
    )
    collector.stdout.readline()
    collector.send_signal(signal.SIGKILL)
    collector.wait()
    outgoing = queue.Queue()
    Heating().start()
    Poster(Letterbox(path), outgoing).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    report(outgoing, itertools.count())


if __name__ == "__main__":
    main()
