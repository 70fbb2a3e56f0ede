import os

from sleepers.batcher import Batcher, Sink
from sleepers.people import Diarist, Landlord

NIGHTS = [0.31] * 12


def main():
    batcher = Batcher(Sink(), 0.2)
    diarists = [Diarist("anton", batcher, 500, 0.05), Diarist("berta", batcher, 500, 0.07)]
    for diarist in diarists:
        diarist.start()
    Landlord(batcher, NIGHTS).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for diarist in diarists:
        diarist.join()


if __name__ == "__main__":
    main()
