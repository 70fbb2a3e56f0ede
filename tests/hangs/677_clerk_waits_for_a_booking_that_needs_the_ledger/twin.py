import asyncio
import os
import signal

import aiologic

signal.alarm(120)


class Ledger:
    def __init__(self, loop):
        self.loop = loop
        self.lock = aiologic.Lock()
        self.amounts = []

    async def book(self, amount):
        async with self.lock:
            self.amounts.append(amount)

    def close_day(self, rest):
        with self.lock:
            total = sum(self.amounts)
        if total < rest:
            booking = asyncio.run_coroutine_threadsafe(self.book(rest - total), self.loop)
            booking.result()


def clerk(ledger):
    ledger.close_day(100)


async def office():
    ledger = Ledger(asyncio.get_running_loop())
    await ledger.book(40)
    while True:
        await asyncio.to_thread(clerk, ledger)
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(office())
