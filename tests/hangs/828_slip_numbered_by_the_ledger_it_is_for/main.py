import os
import signal

import anyio

from ledger import Ledger

signal.alarm(120)


async def open_office():
    ledger = Ledger()
    async with anyio.create_task_group() as clerks:
        for entry in ("rent", "coal"):
            clerks.start_soon(ledger.book, entry, name=f"clerk-{entry}")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(open_office)
