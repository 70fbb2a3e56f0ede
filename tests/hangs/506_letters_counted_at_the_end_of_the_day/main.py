import os
import signal
import threading
import time

from outbox import Outbox

signal.alarm(120)


def send_newsletter(outbox, names):
    for name in names:
        outbox.send("newsletter", name)


def send_receipts(outbox, names):
    for name in names:
        time.sleep(0.5)
        outbox.send("receipts", name)


def work_through(outbox):
    names = ["customer %d" % number for number in range(8)]
    newsletter = threading.Thread(target=send_newsletter, args=(outbox, names), name="newsletter")
    newsletter.start()
    send_receipts(outbox, names)
    newsletter.join()


if __name__ == "__main__":
    outbox = Outbox(5)
    print("MARK main pid=%d" % os.getpid())
    work_through(outbox)
