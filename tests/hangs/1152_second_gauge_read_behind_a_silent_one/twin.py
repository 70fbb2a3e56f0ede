import os

from twisted.internet import defer, endpoints, protocol, reactor, task
from twisted.protocols import basic


class Gauge(basic.LineReceiver):
    delimiter = b"\n"
    readings = 0

    def lineReceived(self, line):
        Gauge.readings += 1
        if Gauge.readings < READINGS:
            self.sendLine(b"%d %%" % (Gauge.readings % 100))


class Line(basic.LineReceiver):
    delimiter = b"\n"

    def __init__(self):
        self.waiting = []

    def ask(self, name):
        answer = defer.Deferred()
        self.waiting.append(answer)
        self.sendLine(name)
        return answer

    def lineReceived(self, line):
        self.waiting.pop(0).callback(line)


class Session:
    def __init__(self, line):
        self.line = line
        self.limit = defer.DeferredSemaphore(1)

    def fetch(self, name):
        return self.line.ask(name)

    def read(self, name):
        return self.limit.run(self.fetch, name)


class Collector:
    def __init__(self, session):
        self.session = session
        self.values = {}

    @defer.inlineCallbacks
    def collect(self, name):
        while True:
            self.values[name] = yield self.session.read(name)
            yield task.deferLater(reactor, 0.01, lambda: None)


@defer.inlineCallbacks
def run_collector():
    factory = protocol.Factory.forProtocol(Gauge)
    port = yield endpoints.TCP4ServerEndpoint(reactor, 0, interface="127.0.0.1").listen(factory)
    address = endpoints.TCP4ClientEndpoint(reactor, "127.0.0.1", port.getHost().port)
    line = yield endpoints.connectProtocol(address, Line())
    collector = Collector(Session(line))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    yield defer.gatherResults([collector.collect(b"processor"), collector.collect(b"disk")])


READINGS = 50_000_000


if __name__ == "__main__":
    reactor.callWhenRunning(run_collector)
    reactor.run()
