import asyncio
import os


class Engine:
    def __init__(self):
        self.awake = asyncio.Event()
        self.awake.set()
        self.settled = asyncio.Condition()
        self.admitting = 0
        self.tokenizing = asyncio.Event()

    async def generate(self, prompt):
        self.admitting += 1
        try:
            tokens = await self.tokenize(prompt)
            if RECHECKS:
                await self.awake.wait()
        finally:
            async with self.settled:
                self.admitting -= 1
                self.settled.notify_all()
        return await self.decode(tokens)

    async def tokenize(self, prompt):
        self.tokenizing.set()
        await asyncio.sleep(0.02)
        return prompt.split()

    async def decode(self, tokens):
        for _ in tokens:
            await asyncio.sleep(0.01)
        return tokens[::-1]

    async def sleep(self):
        self.awake.clear()
        async with self.settled:
            while self.admitting:
                await self.settled.wait()

    def wake_up(self):
        self.awake.set()


async def train(engine):
    while True:
        await engine.tokenizing.wait()
        await engine.sleep()
        await asyncio.sleep(0.02)
        engine.wake_up()
        engine.tokenizing.clear()


async def roll_out(engine):
    while True:
        await engine.generate("a rather short prompt")
        await asyncio.sleep(0.01)


async def main():
    engine = Engine()
    async with asyncio.TaskGroup() as group:
        group.create_task(train(engine), name="trainer")
        group.create_task(roll_out(engine), name="rollout")


RECHECKS = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
