import os
import threading
import time

import trio

ASHORE = False


class Engine:
    def __init__(self, token, note):
        self.token = token
        self.note = note
        self.halted = threading.Event()
        self.thread = threading.Thread(target=self.run, name="engine", daemon=True)

    def report(self, word):
        trio.from_thread.run_sync(self.note, word, trio_token=self.token)

    def run(self):
        turns = 0
        while not self.halted.is_set():
            turns += 1
            self.report("turn %d" % turns)
            time.sleep(0.01)
        self.report("halted")

    def stop(self):
        self.halted.set()
        self.thread.join()


class Ship:
    def __init__(self):
        self.log = []
        self.engine = Engine(trio.lowlevel.current_trio_token(), self.log.append)

    async def sail(self):
        self.engine.thread.start()
        while len(self.log) < 5:
            await trio.sleep(0.01)

    async def drop_anchor(self):
        if ASHORE:
            await trio.to_thread.run_sync(self.engine.stop)
        else:
            self.engine.stop()


async def cross_lakes():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        ship = Ship()
        await ship.sail()
        await ship.drop_anchor()


if __name__ == "__main__":
    trio.run(cross_lakes)
