import asyncio


class Torn(Exception):
    pass


class Shirt:
    def __init__(self, number, buttons):
        self.number = number
        self.buttons = buttons


class Line:
    def __init__(self, room):
        self.basket = asyncio.Queue(room)
        self.pressed = []
        self.torn = []

    async def press(self, shirt, pace):
        await asyncio.sleep(pace)
        if shirt.buttons < 0:
            raise Torn(shirt.number)
        self.pressed.append(shirt.number)

    async def handle(self, pace):
        shirt = await self.basket.get()
        await self.press(shirt, pace)
        self.basket.task_done()

    async def presser(self, pace):
        while True:
            try:
                await self.handle(pace)
            except Torn as error:
                self.torn.append(error.args[0])
            except asyncio.QueueShutDown:
                return

    async def close(self):
        await self.basket.join()
        self.basket.shutdown()
