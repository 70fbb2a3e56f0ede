import asyncio
import os
import signal
import tempfile

from filelock import FileLock

signal.alarm(120)


class Vault:
    def __init__(self, folder):
        self.path = os.path.join(folder, "vault.json")
        self.lock = FileLock(self.path + ".lock", thread_local=False)

    def open(self):
        self.lock.acquire()

    def close(self):
        self.lock.release()


async def count_gold(folder):
    vault = Vault(folder)
    vault.open()
    await asyncio.sleep(0.01)
    await asyncio.to_thread(vault.close)
    vault.gold = 7
    return vault


def copy_gold(folder):
    copy = Vault(folder)
    copy.open()
    copy.close()


async def end_the_day(folder):
    vault = await count_gold(folder)
    await asyncio.to_thread(copy_gold, folder)
    return vault


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        while True:
            asyncio.run(end_the_day(folder))
