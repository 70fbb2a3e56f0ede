import asyncio
import os
import signal

from aiodataloader import DataLoader

signal.alarm(120)

managers = {2: 1, 3: 2}


async def find_manager(users, number):
    await asyncio.sleep(0.05)
    if number in managers:
        return number, await users.load(managers[number])
    return number, None


class Users(DataLoader):
    async def batch_load_fn(self, numbers):
        return [await find_manager(self, number) for number in numbers]


async def show_user(number):
    while True:
        await Users().load(number)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(show_user(3))
