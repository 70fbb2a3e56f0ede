import os
import socketserver
import subprocess
import sys

import txredisapi
from twisted.internet import defer, reactor

PENS = 2


class Store(socketserver.StreamRequestHandler):
    def handle(self):
        queued = None
        while line := self.rfile.readline():
            words = [
                self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2]
                for _ in range(int(line[1:]))
            ]
            if words[0] == b"MULTI":
                queued = 0
                self.wfile.write(b"+OK\r\n")
            elif words[0] == b"EXEC":
                self.wfile.write(b"*%d\r\n" % queued + b"+OK\r\n" * queued)
                queued = None
            elif queued is not None:
                queued += 1
                self.wfile.write(b"+QUEUED\r\n")
            else:
                self.wfile.write(b"$2\r\n42\r\n")


def run_store():
    socketserver.ThreadingTCPServer.daemon_threads = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Store) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


class Ledger:
    def __init__(self, store):
        self.store = store

    @defer.inlineCallbacks
    def move(self, payer, payee):
        page = yield self.store.multi()
        amount = yield self.store.get("fee")
        yield page.set(payer, -int(amount))
        yield page.set(payee, amount)
        yield page.commit()

    @defer.inlineCallbacks
    def keep(self):
        while True:
            yield self.move("ada", "bert")


@defer.inlineCallbacks
def run_bank(port):
    store = yield txredisapi.ConnectionPool("127.0.0.1", port, poolsize=PENS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    yield Ledger(store).keep()


if __name__ == "__main__":
    if sys.argv[1:] == ["store"]:
        run_store()
    else:
        store = subprocess.Popen(
            [sys.executable, "-u", __file__, "store"], stdout=subprocess.PIPE, text=True
        )
        reactor.callWhenRunning(run_bank, int(store.stdout.readline()))
        reactor.run()
