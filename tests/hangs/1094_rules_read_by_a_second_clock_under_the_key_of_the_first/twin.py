import asyncio
import os
import threading

SHARES_THE_BOOK = False


class Errands:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="errands", daemon=True).start()

    def wait_elsewhere(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()


class Office:
    def __init__(self, errands):
        self.errands = errands
        self.book = asyncio.Lock()
        self.copy = self.book if SHARES_THE_BOOK else asyncio.Lock()
        self.rules = []

    async def judge_all(self):
        while True:
            async with self.book:
                for _ in self.rules:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.003)

    async def reload(self, rule):
        async with self.copy:
            self.rules.append(rule)
            del self.rules[:-5]

    def post_rule(self, rule):
        self.errands.wait_elsewhere(self.reload(rule))

    async def take_in(self):
        number = 0
        while True:
            await asyncio.sleep(0.05)
            self.post_rule("rule %d" % number)
            number += 1


async def run_office():
    office = Office(Errands())
    judge = asyncio.create_task(office.judge_all(), name="judge")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await office.take_in()
    judge.cancel()


if __name__ == "__main__":
    asyncio.run(run_office())
