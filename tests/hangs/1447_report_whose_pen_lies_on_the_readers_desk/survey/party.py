import asyncio
import json
import os
import sys
from pathlib import Path

PROBE = str(Path(__file__).with_name("probe.py"))


class Drill:
    def __init__(self, tidy):
        self.tidy = tidy
        self.reports = {}

    async def _open(self, descriptor):
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(descriptor, "rb")
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        return transport, reader

    async def bore(self, place):
        ours, theirs = os.pipe()
        child = await asyncio.create_subprocess_exec(
            sys.executable, PROBE, str(theirs), place, pass_fds=[theirs]
        )
        if self.tidy:
            os.close(theirs)
        transport, reader = await self._open(ours)
        text = await reader.read()
        transport.close()
        self.reports[place] = [json.loads(line) for line in text.splitlines()]
        return await child.wait()


class Party:
    def __init__(self, drill):
        self.drill = drill
        self.meals = 0
        self.sketches = []

    async def cook(self):
        while True:
            self.meals += 1
            await asyncio.sleep(0.5)

    async def sketch(self):
        while True:
            self.sketches.append(len(self.drill.reports))
            del self.sketches[:-20]
            await asyncio.sleep(0.3)

    async def survey(self):
        number = 0
        while True:
            await self.drill.bore("field-%d" % (number % 9))
            number += 1

    async def summer(self):
        tasks = [asyncio.create_task(work()) for work in [self.cook, self.sketch, self.survey]]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
