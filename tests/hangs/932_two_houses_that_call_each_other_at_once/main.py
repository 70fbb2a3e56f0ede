import concurrent.futures
import os
import threading
import time

import trio

CROSSED = True


class House:
    def __init__(self, name):
        self.name = name
        self.token = None
        self.ready = threading.Event()
        self.told = 0

    def tell(self):
        self.told += 1
        return self.told

    def call(self, function):
        answer = concurrent.futures.Future()
        self.token.run_sync_soon(lambda: answer.set_result(function()))
        return answer.result()

    async def live(self, work):
        self.token = trio.lowlevel.current_trio_token()
        self.ready.set()
        await work()

    def start(self, work):
        threading.Thread(target=trio.run, args=(self.live, work), name=self.name).start()


async def next_stroke():
    await trio.sleep(0.05 - time.monotonic() % 0.05)


class Inn:
    def __init__(self):
        self.hall = House("hall")
        self.kitchen = House("kitchen")

    def ask_kitchen(self):
        return self.kitchen.call(self.kitchen.tell)

    def ask_hall(self):
        return self.hall.call(self.hall.tell)

    async def serve(self):
        while True:
            await next_stroke()
            self.ask_kitchen()

    async def cook(self):
        while True:
            await next_stroke()
            if CROSSED:
                self.ask_hall()

    def open(self):
        self.hall.start(self.serve)
        self.kitchen.start(self.cook)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Inn().open()
