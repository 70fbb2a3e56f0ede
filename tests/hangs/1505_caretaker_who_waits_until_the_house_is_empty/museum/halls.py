import asyncio


class Hall:
    def __init__(self, name, closing):
        self.name = name
        self.closing = closing
        self.visitors = 0

    async def guide(self):
        while not self.closing.is_set():
            self.visitors += 1
            try:
                await asyncio.wait_for(self.closing.wait(), 0.1)
            except asyncio.TimeoutError:
                continue


class Guard:
    """Keeps walking, also at night."""

    def __init__(self):
        self.rounds = 0

    async def walk(self):
        while True:
            self.rounds += 1
            await asyncio.sleep(0.25)
