import asyncio
import os


class Lighthouse:
    def __init__(self):
        self.lamp = asyncio.Lock()
        self.seen = None

    async def signal(self, letter):
        async with self.lamp:
            self.seen = asyncio.get_running_loop().create_future()
            await asyncio.sleep(0.01)
            return await self.seen

    def answer(self, letter):
        if self.seen is not None and not self.seen.done():
            self.seen.set_result(letter)


class Keeper:
    def __init__(self, lighthouse):
        self.lighthouse = lighthouse
        self.repeats = 0

    async def send(self, letter):
        flash = asyncio.create_task(self.lighthouse.signal(letter), name="flash")
        if PROMPT:
            asyncio.get_running_loop().call_later(0.05, self.lighthouse.answer, letter)
        try:
            return await asyncio.wait_for(asyncio.shield(flash), 1)
        except asyncio.TimeoutError:
            self.repeats += 1
            again = await self.lighthouse.signal(letter)
            self.lighthouse.answer(letter)
            return again


async def main():
    keeper = Keeper(Lighthouse())
    while True:
        await keeper.send("k")


PROMPT = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
