import os

from hall.porter import Gatekeeper, Porter, receive
from hall.reactor import Reactor

VANS = [30, 400, 900]


def main():
    reactor = Reactor()
    reactor.start()
    porter = Porter(reactor)
    Gatekeeper(porter).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    receive(reactor, porter, VANS)


if __name__ == "__main__":
    main()
