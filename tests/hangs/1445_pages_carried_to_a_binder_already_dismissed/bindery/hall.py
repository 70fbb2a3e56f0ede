import asyncio

from bindery.press import Meter, Press


class Hall:
    def __init__(self, shift):
        self.shift = shift
        self.bound = []
        self.lamps = 0
        self.press = None

    async def bind(self):
        while True:
            page = await self.press.pages.get()
            self.bound.append(page)
            del self.bound[:-100]

    async def light(self):
        while True:
            self.lamps += 1
            await asyncio.sleep(0.5)

    async def run(self):
        loop = asyncio.get_running_loop()
        self.press = Press(loop, 4)
        Meter().start()
        tasks = [
            asyncio.create_task(self.bind(), name="binder"),
            asyncio.create_task(self.light(), name="lamps"),
        ]
        printing = loop.run_in_executor(None, self.press.print_books, 200, 40)
        try:
            await asyncio.wait_for(asyncio.shield(printing), self.shift)
        except asyncio.TimeoutError:
            return len(tasks)
