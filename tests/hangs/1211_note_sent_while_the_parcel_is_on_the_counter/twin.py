import asyncio
import os
import subprocess
import sys

import httpx

HERE = os.path.dirname(os.path.abspath(__file__))


class Audit:
    def __init__(self, base):
        self.base = base
        self.client = None
        self.noted = 0

    async def note(self, response):
        if response.url.path == "/audit":
            return
        await self.client.post(self.base + "/audit", content=str(response.status_code))
        self.noted += 1


class Catalogue:
    def __init__(self, base, client):
        self.base = base
        self.client = client

    async def fetch(self, number):
        answer = await self.client.get("%s/goods/%d" % (self.base, number))
        return answer.text


def open_house():
    command = [sys.executable, os.path.join(HERE, "house.py")]
    house = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return "http://127.0.0.1:%d" % int(house.stdout.readline())


async def run_catalogue():
    base = open_house()
    audit = Audit(base)
    limits = httpx.Limits(max_connections=COUNTERS)
    timeout = httpx.Timeout(5, pool=None)
    hooks = {"response": [audit.note]}
    async with httpx.AsyncClient(limits=limits, timeout=timeout, event_hooks=hooks) as client:
        audit.client = client
        catalogue = Catalogue(base, client)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            await catalogue.fetch(7)
            await asyncio.sleep(0.05)


COUNTERS = 4


if __name__ == "__main__":
    asyncio.run(run_catalogue())
