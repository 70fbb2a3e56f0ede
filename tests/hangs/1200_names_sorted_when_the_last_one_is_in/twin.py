import os
import sys

from twisted.internet import defer, protocol, reactor, task

HERE = os.path.dirname(os.path.abspath(__file__))


class Sorter(protocol.ProcessProtocol):
    def __init__(self, names):
        self.names = names
        self.received = []
        self.done = defer.Deferred()

    def connectionMade(self):
        for name in self.names:
            self.transport.write(name.encode() + b"\n")
        if LAST_ONE_SAID:
            self.transport.closeStdin()

    def outReceived(self, data):
        self.received.append(data)

    def processEnded(self, reason):
        self.done.callback(b"".join(self.received).decode().split())


class Registry:
    def __init__(self):
        self.sorted = 0

    @defer.inlineCallbacks
    def sort_names(self, names):
        sorter = Sorter(names)
        command = [sys.executable, os.path.join(HERE, "sort.py")]
        reactor.spawnProcess(sorter, command[0], command, env=None)
        result = yield sorter.done
        self.sorted += len(result)
        return result


@defer.inlineCallbacks
def run_registry(registry):
    while True:
        yield registry.sort_names(["ida", "tom", "bea", "max"])
        yield task.deferLater(reactor, 0.05)


LAST_ONE_SAID = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    reactor.callWhenRunning(run_registry, Registry())
    reactor.run()
