import os
import subprocess
import sys

import trio

LINES = 9000
PRINTER = "for number in range(%d): print('entry', number, 'x' * 40)"


class Ledger:
    def __init__(self):
        self.printed = 0

    async def start_printer(self):
        return await trio.lowlevel.open_process(
            [sys.executable, "-c", PRINTER % LINES], stdout=subprocess.PIPE
        )

    async def print_ledger(self):
        printer = await self.start_printer()
        await printer.wait()
        async with printer.stdout:
            async for piece in printer.stdout:
                self.printed += len(piece)


async def keep_time(seconds):
    while True:
        await trio.sleep(0.5)
        seconds[0] += 1


async def main():
    ledger = Ledger()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_time, [0])
        while True:
            await ledger.print_ledger()
            await trio.sleep(0.05)


if __name__ == "__main__":
    trio.run(main)
