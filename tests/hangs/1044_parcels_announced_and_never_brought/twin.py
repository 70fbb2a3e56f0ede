import asyncio
import os
import subprocess
import sys

from gql import Client, gql
from gql.transport.websockets import WebsocketsTransport

HERE = os.path.dirname(os.path.abspath(__file__))
COURIER = "on foot"
QUESTION = gql("subscription { parcels { number } }")


class Doorman:
    def __init__(self, port):
        self.url = "ws://127.0.0.1:%d/" % port
        self.seen = []

    def line(self):
        return Client(transport=WebsocketsTransport(url=self.url))

    async def watch_for_parcels(self, session):
        async for parcel in session.subscribe(QUESTION):
            self.seen.append(parcel["parcels"]["number"])

    async def keep_door(self):
        async with self.line() as session:
            await self.watch_for_parcels(session)


def open_depot():
    command = [sys.executable, "-u", os.path.join(HERE, "depot.py"), COURIER]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    return int(process.stdout.readline())


async def main():
    doorman = Doorman(open_depot())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await doorman.keep_door()
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
