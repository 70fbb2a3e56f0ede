import os
import signal
import time

import anyio
from anyio import from_thread, to_thread

from ledger import Ledger

signal.alarm(120)


class OpenLedger(Ledger):
    async def book(self, entry):
        slip = await to_thread.run_sync(self.print_slip, entry)
        async with self.turn:
            self.entries.append(slip)

    def print_slip(self, entry):
        number = from_thread.run(self.next_number)
        time.sleep(0.05)
        return f"{number}: {entry}"


async def book_all(ledger, entry):
    while True:
        await ledger.book(entry)


async def open_office():
    ledger = OpenLedger()
    async with anyio.create_task_group() as clerks:
        for entry in ("rent", "coal"):
            clerks.start_soon(book_all, ledger, entry, name=f"clerk-{entry}")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(open_office)
