import os
import signal
import sys

import greenstalk

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def queue_letters(port, names):
    with greenstalk.Client(("127.0.0.1", port), use="letter") as post:
        for name in names:
            post.put("Dear " + name)


def send_letters(port, amount):
    with greenstalk.Client(("127.0.0.1", port), watch="letters") as post:
        for _ in range(amount):
            job = post.reserve()
            print("sent:", job.body)
            post.delete(job)


if __name__ == "__main__":
    port = start("tube_server")
    queue_letters(port, ["Ada", "Grace"])
    print("MARK main pid=%d" % os.getpid())
    send_letters(port, 2)
