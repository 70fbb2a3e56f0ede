import os

import anyio

BY_ANOTHER = True


class Border:
    def __init__(self):
        self.stamp = anyio.Lock()
        self.passed = 0

    async def check(self, traveller):
        async with self.stamp:
            answer = yield "papers of %s, please" % traveller
            self.passed += answer == "here"

    async def let_through(self, traveller):
        check = self.check(traveller)
        try:
            await anext(check)
            await check.asend("here")
        except StopAsyncIteration:
            return


class Train:
    def __init__(self, border):
        self.border = border
        self.left_over = []

    async def show_papers(self, traveller):
        check = self.border.check(traveller)
        await anext(check)
        if BY_ANOTHER:
            self.left_over.append(check)
        else:
            await check.aclose()

    async def clear_up(self):
        for check in self.left_over:
            try:
                await check.aclose()
            except RuntimeError as error:
                print("clearing up:", error)
        self.left_over.clear()


async def travel():
    border = Border()
    train = Train(border)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(train.show_papers, "Karla", name="Karla")
    await train.clear_up()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await border.let_through("Emil")
        await anyio.sleep(0.05)


if __name__ == "__main__":
    anyio.run(travel)
