import multiprocessing
import os
import signal
import threading
import time


def watch(server):
    for _ in range(NOTICES):
        time.sleep(2)
        os.kill(server, signal.SIGUSR1)
    time.sleep(3600)


class Server:
    def __init__(self, stopping):
        self.stopping = stopping

    def on_notice(self, number, frame):
        if AT_ONCE:
            self.stopping.set()
        else:
            threading.Thread(target=self.stopping.set).start()

    def serve(self):
        while True:
            self.stopping.wait()
            self.stopping.clear()
            self.save()

    def save(self):
        time.sleep(0.01)


AT_ONCE = True
NOTICES = 1


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    server = Server(context.Event())
    signal.signal(signal.SIGUSR1, server.on_notice)
    watcher = context.Process(target=watch, args=(os.getpid(),), name="watcher", daemon=True)
    watcher.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.serve()
