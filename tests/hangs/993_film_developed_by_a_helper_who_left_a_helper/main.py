import asyncio
import os
import sys

FAN = "import time; time.sleep(1000)"
DEVELOPER = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", %r], stdin=subprocess.DEVNULL)
print("film %%s developed" %% sys.argv[1], flush=True)
"""


class Darkroom:
    def __init__(self):
        self.album = []

    async def run_developer(self, film):
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            DEVELOPER % FAN,
            film,
            stdout=asyncio.subprocess.PIPE,
        )

    async def develop(self, film):
        developer = await self.run_developer(film)
        line = await developer.stdout.readline()
        if await developer.wait() == 0:
            self.album.append(line.decode().strip())


async def tick(seconds):
    while True:
        await asyncio.sleep(seconds)


async def work():
    darkroom = Darkroom()
    clock = asyncio.create_task(tick(0.5))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not clock.done():
        for film in ("garden", "harbour", "winter"):
            await darkroom.develop(film)
        darkroom.album.clear()


if __name__ == "__main__":
    asyncio.run(work())
