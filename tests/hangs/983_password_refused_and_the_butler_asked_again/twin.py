import asyncio
import json
import os
import subprocess
import sys

from pyheos import CommandFailedError, Heos, HeosOptions

HOUSE = "127.0.98.3"


class Speaker:
    def __init__(self):
        self.known = False

    def answer(self, command):
        message = ""
        result = "success"
        if command.startswith("system/sign_in"):
            self.known = True
            message = "signed_in&un=ida"
        elif command.startswith("browse/play_preset") and not self.known:
            result, message = "fail", "eid=8&text=User not logged in"
        self.known = self.known and "play_preset" not in command
        name = command.partition("?")[0]
        return {"heos": {"command": name, "result": result, "message": message}}

    async def serve(self, reader, writer):
        while line := (await reader.readline()).decode().strip():
            answer = self.answer(line.removeprefix("heos://"))
            writer.write(json.dumps(answer).encode() + b"\r\n")
            await writer.drain()


async def run_speaker():
    server = await asyncio.start_server(Speaker().serve, HOUSE, 1255)
    print("ready", flush=True)
    await server.serve_forever()


class Butler:
    def __init__(self):
        self.heos = Heos(HeosOptions(HOUSE, events=False, heart_beat=False, timeout=5))
        self.refused = 0

    async def open(self):
        await self.heos.connect()

    async def sign_in_again(self):
        self.refused += 1
        await self.heos.sign_in("ida", "secret", update_credential=False)

    async def play(self, station):
        try:
            await self.heos.play_preset_station(1, station)
        except CommandFailedError:
            await self.sign_in_again()


async def tick():
    while True:
        await asyncio.sleep(0.5)


async def evening():
    clock = asyncio.create_task(tick())
    butler = Butler()
    await butler.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not clock.done():
        for station in (1, 2, 3):
            await butler.play(station)


if __name__ == "__main__":
    if sys.argv[1:2] == ["speaker"]:
        asyncio.run(run_speaker())
    else:
        speaker = subprocess.Popen(
            [sys.executable, "-u", __file__, "speaker"], stdout=subprocess.PIPE, text=True
        )
        speaker.stdout.readline()
        asyncio.run(evening())
