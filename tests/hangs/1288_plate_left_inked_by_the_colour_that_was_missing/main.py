import asyncio
import os
import threading


class Press:
    def __init__(self):
        self.plate = asyncio.Lock()
        self.sheets = []

    async def ink(self, colour):
        await self.plate.acquire()
        if colour not in COLOURS:
            return False
        self.sheets.append(colour)
        self.wipe()
        return True

    def wipe(self):
        self.plate.release()

    async def print_sheet(self, colour):
        return await self.ink(colour)


async def edition(colours):
    press = Press()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for colour in colours:
            await press.print_sheet(colour)
            await asyncio.sleep(0.05)


COLOURS = ("cyan", "yellow", "black")
ORDER = ("cyan", "yellow", "magenta", "black")

if __name__ == "__main__":
    shop = threading.Thread(target=asyncio.run, args=(edition(ORDER),), name="shop")
    shop.start()
    shop.join()
