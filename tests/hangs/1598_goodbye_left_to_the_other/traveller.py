import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

from websockets.asyncio.client import connect

HERE = Path(__file__).parent


class Traveller:
    """Collects the timetables of all lines, one connection for each."""

    def __init__(self, port):
        self.url = "ws://127.0.0.1:%d" % port
        self.hours = {}
        self.rounds = 0

    async def collect(self, line):
        connection = await connect(self.url)
        await connection.send(json.dumps({"line": line}))
        hours = self.hours.setdefault(line, [])
        while True:
            entry = json.loads(await connection.recv())
            if entry.get("end"):
                break
            hours.append(entry["hour"])
        await connection.wait_closed()
        return len(hours)

    async def plan(self, lines):
        while True:
            await asyncio.gather(*(self.collect(line) for line in lines))
            self.rounds += 1
            self.hours.clear()
            await asyncio.sleep(0.2)

    async def watch(self):
        while True:
            await asyncio.sleep(0.6)


async def travel(manner):
    office = subprocess.Popen(
        [sys.executable, "-u", str(HERE / "timetable.py"), manner], stdout=subprocess.PIPE
    )
    traveller = Traveller(int(office.stdout.readline()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(traveller.plan(["coast", "hills"]), name="plan")
            group.create_task(traveller.watch(), name="watch")
    finally:
        office.kill()


def run(manner):
    asyncio.run(travel(manner))
