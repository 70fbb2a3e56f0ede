import multiprocessing
import os
import signal
import time


def watch(server, notice):
    for _ in range(NOTICES):
        time.sleep(4)
        os.kill(server, signal.SIGUSR1)
    notice.wait()


class Server:
    def __init__(self, stopping):
        self.stopping = stopping
        self.saved = 0

    def on_notice(self, number, frame):
        self.saved += 1
        self.stopping.set()

    def serve(self):
        while True:
            self.stopping.wait()
            self.stopping.clear()
            self.save()

    def save(self):
        time.sleep(0.01)


NOTICES = 1


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    server = Server(context.Event())
    signal.signal(signal.SIGUSR1, server.on_notice)
    watcher = context.Process(
        target=watch, args=(os.getpid(), server.stopping), name="watcher", daemon=True
    )
    watcher.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.serve()
