import os
import threading
import time
import urllib.request

from klein import Klein
from twisted.internet import defer, reactor
from twisted.web.server import Site

LINE_UP = False


class Telegraph:
    def __init__(self):
        self.sent = 0

    def by_wire(self, text):
        wire = defer.Deferred()
        reactor.callLater(0.05, wire.callback, "sent: " + text)
        return wire

    def by_rider(self, text):
        print("no rider for", text)
        return defer.Deferred()

    def send(self, text):
        self.sent += 1
        if LINE_UP:
            return self.by_wire(text)
        return self.by_rider(text)


class Office:
    app = Klein()

    def __init__(self):
        self.telegraph = Telegraph()

    @app.route("/telegrams/<text>")
    @defer.inlineCallbacks
    def take(self, request, text):
        answer = yield self.telegraph.send(text)
        return answer


def write_home(port):
    with urllib.request.urlopen("http://127.0.0.1:%d/telegrams/arrived" % port) as answer:
        return answer.read()


def travel(port):
    while True:
        write_home(port)
        time.sleep(0.05)


def main():
    office = Office()
    port = reactor.listenTCP(0, Site(office.app.resource()), interface="127.0.0.1")
    address = port.getHost().port
    threading.Thread(target=travel, args=(address,), name="traveller", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    reactor.run()


if __name__ == "__main__":
    main()
