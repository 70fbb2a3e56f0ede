import itertools
import os
import signal
import sys

from twisted.internet import defer, endpoints, reactor
from twisted.protocols.basic import LineReceiver

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class PriceLine(LineReceiver):
    delimiter = b"\n"

    def __init__(self):
        self.asked = []

    def ask(self, name):
        answer = defer.Deferred()
        self.asked.append(answer)
        self.sendLine(name.encode())
        return answer

    def lineReceived(self, line):
        if line.startswith(b"ok"):
            self.asked.pop(0).callback(line)


@defer.inlineCallbacks
def print_prices(port, names):
    point = endpoints.TCP4ClientEndpoint(reactor, "127.0.0.1", port)
    line = yield endpoints.connectProtocol(point, PriceLine())
    for name in names:
        price = yield line.ask(name)
        print(name, price)
    reactor.stop()


if __name__ == "__main__":
    port = start("line_server")
    print("MARK main pid=%d" % os.getpid())
    print_prices(port, itertools.repeat("tea"))
    reactor.run()
