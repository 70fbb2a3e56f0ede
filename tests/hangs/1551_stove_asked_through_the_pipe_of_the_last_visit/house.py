import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from sdbus import sd_bus_open_user, set_default_bus

from stove import NAME, PATH, Stove

HERE = Path(__file__).parent


class Bus:
    """A message bus of our own, and the stove on it."""

    def __enter__(self):
        command = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
        self.daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = self.daemon.stdout.readline().strip()
        self.stove = subprocess.Popen(
            [sys.executable, str(HERE / "stove.py")], stdout=subprocess.PIPE, text=True
        )
        self.stove.stdout.readline()
        return self

    def __exit__(self, *trouble):
        self.stove.kill()
        self.daemon.kill()


class Room:
    def __init__(self):
        set_default_bus(sd_bus_open_user())
        self.stove = Stove.new_proxy(NAME, PATH)
        self.readings = []

    async def warm(self):
        level = await self.stove.warmth()
        if level < 20:
            level = await self.stove.burn(1.5)
        self.readings.append(level)


class Window(threading.Thread):
    def __init__(self):
        super().__init__(name="window", daemon=True)
        self.looked = 0

    def run(self):
        while True:
            time.sleep(0.6)
            self.looked += 1


def keep_warm_by_visits(room):
    while True:
        asyncio.run(room.warm())
        time.sleep(1)


def keep_warm_by_staying(room):
    async def stay():
        while True:
            await room.warm()
            await asyncio.sleep(1)

    asyncio.run(stay())
