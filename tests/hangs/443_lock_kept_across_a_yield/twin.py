import os
import signal

from twisted.internet import defer, reactor, task

signal.alarm(120)


class BlobStore:
    def __init__(self):
        self.saving = defer.DeferredLock()
        self.blobs = {}

    @defer.inlineCallbacks
    def save(self, name, data):
        yield self.saving.acquire()
        try:
            yield task.deferLater(reactor, 0.05, self.blobs.__setitem__, name, data)
        finally:
            self.saving.release()

    @defer.inlineCallbacks
    def save_all(self, blobs):
        yield defer.gatherResults([self.save(name, data) for name, data in blobs.items()])


if __name__ == "__main__":
    store = BlobStore()
    print("MARK main pid=%d" % os.getpid())
    task.LoopingCall(store.save_all, {"cover": b"1", "page": b"2"}).start(0.2)
    reactor.run()
