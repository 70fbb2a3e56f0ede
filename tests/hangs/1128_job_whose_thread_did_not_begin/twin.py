import os
import threading
import time

CONTEXTS = {"orders": "eu-1", "returns": "eu-1", "gifts": "eu-1"}
KINDS = ("orders", "returns", "gifts")


class Tracer:
    def __init__(self):
        self.spans = {}

    def attach(self, kind):
        self.spans[threading.get_ident()] = CONTEXTS[kind]

    def detach(self):
        self.spans.pop(threading.get_ident(), None)


TRACER = Tracer()


class TracedThread(threading.Thread):
    def __init__(self, kind, target):
        super().__init__(name="job-%s" % kind, target=target)
        self.kind = kind

    def _bootstrap_inner(self):
        TRACER.attach(self.kind)
        try:
            super()._bootstrap_inner()
        finally:
            TRACER.detach()


class Dispatcher:
    def __init__(self):
        self.done = 0

    def job(self):
        time.sleep(0.02)
        self.done += 1

    def take(self, kind):
        worker = TracedThread(kind, self.job)
        worker.start()
        return worker


def serve():
    dispatcher = Dispatcher()
    while True:
        for kind in KINDS:
            dispatcher.take(kind).join()
            time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve()
