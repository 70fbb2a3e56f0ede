import os
import signal
import threading

from twisted.internet import defer, reactor, task

signal.alarm(120)


class BlobStore:
    def __init__(self):
        self.saving = threading.Lock()
        self.blobs = {}

    @defer.inlineCallbacks
    def save(self, name, data):
        with self.saving:
            yield task.deferLater(reactor, 0.05, self.blobs.__setitem__, name, data)

    @defer.inlineCallbacks
    def save_all(self, blobs):
        yield defer.gatherResults([self.save(name, data) for name, data in blobs.items()])


if __name__ == "__main__":
    store = BlobStore()
    print("MARK main pid=%d" % os.getpid())
    reactor.callWhenRunning(store.save_all, {"cover": b"1", "page": b"2"})
    reactor.run()
