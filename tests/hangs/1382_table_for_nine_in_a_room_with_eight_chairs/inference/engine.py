import asyncio
import os

from inference.budget import TokenBudget


class Prompt:
    def __init__(self, words, limit):
        self.words = words.split()
        self.limit = limit

    @property
    def tokens(self):
        return len(self.words) + self.limit


class Engine:
    def __init__(self, total, pace):
        self.budget = TokenBudget(total)
        self.pace = pace
        self.finished = 0

    async def stream(self, prompt):
        async with self.budget.share(prompt.tokens):
            for number in range(prompt.limit):
                await asyncio.sleep(self.pace)
                yield prompt.words[number % len(prompt.words)]
        self.finished += 1


class Metrics:
    def __init__(self, engine):
        self.engine = engine
        self.samples = []

    async def collect(self):
        while True:
            self.samples.append((self.engine.budget.used, self.engine.finished))
            del self.samples[:-30]
            await asyncio.sleep(0.25)


class Chat:
    def __init__(self, engine):
        self.engine = engine

    async def answer(self, prompt):
        return " ".join([word async for word in self.engine.stream(prompt)])


async def main(total, pace):
    engine = Engine(total, pace)
    metrics = asyncio.create_task(Metrics(engine).collect(), name="metrics")
    chat = Chat(engine)
    prompts = [Prompt("tell me more", 20), Prompt("and then", 30), Prompt("a long story " * 6, 90)]
    async with asyncio.TaskGroup() as group:
        for number, prompt in enumerate(prompts):
            group.create_task(chat.answer(prompt), name=f"chat-{number}")
        print("MARK main pid=%d" % os.getpid(), flush=True)
    metrics.cancel()
