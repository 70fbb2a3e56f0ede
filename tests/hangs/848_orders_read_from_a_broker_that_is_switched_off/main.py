import logging
import os
import signal

from feed import Billing, OrderFeed, unused_port

signal.alarm(120)
logging.getLogger("kafka").setLevel(logging.CRITICAL)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Billing(OrderFeed(unused_port())).bill_all()
