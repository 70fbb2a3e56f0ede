import os
import signal

from broker import open_broker
from busy_office import BusyOffice

signal.alarm(120)

if __name__ == "__main__":
    office = BusyOffice(open_broker())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.receive_letters()
