import asyncio
import os

from cellar import Cellar, Lantern
from mode import Service


class Kitchen(Service):
    """Cooks with what the cellar has."""

    early = True

    def __post_init__(self):
        self.cellar = Cellar()
        self.menu = []

    def on_init_dependencies(self):
        return [self.cellar]

    async def on_start(self):
        if self.early:
            await self.write_menu()

    async def on_started(self):
        if not self.early:
            await self.write_menu()

    async def write_menu(self):
        await self.cellar.stocked.wait()
        self.menu = ["stew", "wine for %d" % self.cellar.bottles]


class LateKitchen(Kitchen):
    early = False


class Inn(Service):
    def __init__(self, kitchen):
        self.lantern = Lantern()
        self.kitchen = kitchen
        self.guests = 0
        super().__init__()

    def on_init_dependencies(self):
        return [self.lantern, self.kitchen]

    @Service.task
    async def welcome(self):
        while not self.should_stop:
            self.guests += 1
            await self.sleep(0.6)


async def open_inn(kitchen):
    inn = Inn(kitchen())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await inn.start()
    await inn.wait_until_stopped()


def run(kitchen):
    asyncio.run(open_inn(kitchen))
