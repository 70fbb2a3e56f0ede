import os
import signal

from broker import Broker
from dispatch import Dispatch

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Dispatch(Broker(100000).port).run()
