import asyncio

LEAVE = object()


class Person:
    def __init__(self, name):
        self.name = name
        self.letters = asyncio.Queue()
        self.task = None

    def begin(self):
        self.task = asyncio.create_task(self.read_letters(), name=self.name)

    async def read_letters(self):
        while True:
            letter = await self.letters.get()
            if letter is LEAVE:
                return
            subject, content, reply = letter
            answer = await getattr(self, "on_" + subject)(content)
            if reply is not None and not reply.done():
                reply.set_result(answer)

    def tell(self, subject, content=None):
        self.letters.put_nowait((subject, content, None))

    async def ask(self, subject, content=None):
        reply = asyncio.get_running_loop().create_future()
        self.letters.put_nowait((subject, content, reply))
        return await reply

    async def leave(self):
        self.letters.put_nowait(LEAVE)
        await self.task

    async def dismiss(self):
        self.task.cancel()
        await asyncio.wait([self.task])
