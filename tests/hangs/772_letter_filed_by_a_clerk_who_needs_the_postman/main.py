import os
import signal

from broker import open_broker
from office import Office

signal.alarm(120)

if __name__ == "__main__":
    office = Office(open_broker())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.receive_letters()
