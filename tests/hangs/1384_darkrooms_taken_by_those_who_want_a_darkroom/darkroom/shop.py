import os

import trio


class Shop:
    def __init__(self, lab):
        self.lab = lab
        self.visitors = 0

    async def door(self):
        while True:
            self.visitors += 1
            await trio.sleep(0.3)

    async def orders(self, films):
        async with trio.open_nursery() as nursery:
            for film in films:
                nursery.start_soon(self.lab.print_film, film, name=f"film-{film}")
        return sorted(self.lab.prints)

    async def day(self, films):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.door)
            print("MARK main pid=%d" % os.getpid(), flush=True)
            print(await self.orders(films))
            nursery.cancel_scope.cancel()
