import itertools
import os
import signal

from mailer import Mailer

signal.alarm(120)


def send_invoices(mailer):
    for number in itertools.count():
        mailer.send("anna@example.org", f"invoice {number}")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    send_invoices(Mailer(100000))
