import os
import queue

from pier.boathouse import Boathouse
from pier.trips import Clerk, Log, beach

if __name__ == "__main__":
    house = Boathouse(["Otter", "Biber", "Reiher", "Ente"])
    log = Log(house, tidy=True)
    guests = queue.Queue(maxsize=5)
    clerks = [Clerk(number, house, log, guests) for number in range(3)]
    for clerk in clerks:
        clerk.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    beach(guests)
