import asyncio
import sys

LIGHT = """
import subprocess, sys
keep = {"stdout": subprocess.DEVNULL} if sys.argv[1] == "dark" else {}
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3000)"], **keep)
print("lit", flush=True)
"""


class Stove:
    def __init__(self, room, lamp):
        self.room = room
        self.lamp = lamp
        self.said = ""

    async def light(self):
        boy = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LIGHT, self.lamp, stdout=asyncio.subprocess.PIPE
        )
        output, _nothing = await boy.communicate()
        self.said = output.decode().strip()
        return boy.returncode


class House:
    def __init__(self, rooms, lamp):
        self.stoves = [Stove(room, lamp) for room in rooms]
        self.warm = 0

    async def heat(self):
        for stove in self.stoves:
            await stove.light()
            self.warm += 1
        while True:
            await asyncio.sleep(0.5)


class Chimney:
    def __init__(self):
        self.smoke = 0

    async def draw(self):
        while True:
            self.smoke += 1
            await asyncio.sleep(0.7)
