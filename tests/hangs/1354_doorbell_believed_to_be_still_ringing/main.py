import os

from forge.reactor import Reactor
from forge.smiths import Anvil, Bellows, Smith

WEIGHTS = {"odo": 5, "pia": 0, "rex": 8}


def main():
    reactor = Reactor()
    reactor.start()
    Bellows().start()
    anvil = Anvil(reactor)
    smiths = [Smith(name, anvil, 500, weight) for name, weight in WEIGHTS.items()]
    for smith in smiths:
        smith.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for smith in smiths:
        smith.join()


if __name__ == "__main__":
    main()
