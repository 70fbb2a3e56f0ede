import os

from depot.carrier import Carrier, Scales
from depot.server import Depot

SHUTS = False


def main():
    depot = Depot()
    depot.start()
    Scales(depot.shelves).start()
    carrier = Carrier(depot.port, 500, SHUTS)
    carrier.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for _ in range(carrier.parcels):
        carrier.delivered.get()


if __name__ == "__main__":
    main()
