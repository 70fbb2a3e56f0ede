import time

import anyio
from anyio.from_thread import start_blocking_portal


class Tower:
    def __init__(self, name):
        self.name = name
        self.neighbour = None
        self.sightings = {}
        self.reports = []

    def __enter__(self):
        self.manager = start_blocking_portal(name=self.name)
        self.portal = self.manager.__enter__()
        return self

    def __exit__(self, *exc):
        self.manager.__exit__(*exc)

    async def look_up(self, ship):
        return self.sightings.get(ship, "unknown")

    def bearing(self, ship):
        return self.portal.call(self.look_up, ship)

    def report(self, ship):
        other = self.neighbour.bearing(ship)
        self.reports.append((ship, self.sightings[ship], other))

    def engrave(self, ship):
        time.sleep(0.1 * len(ship))

    async def sight(self, ship, degrees):
        self.sightings[ship] = degrees
        await anyio.sleep(0.2)
        self.engrave(ship)
        self.report(ship)

    async def watch(self, ships, pause):
        for ship, degrees in ships:
            await self.sight(ship, degrees)
            await anyio.sleep(pause)


class PatientTower(Tower):
    async def sight(self, ship, degrees):
        self.sightings[ship] = degrees
        await anyio.to_thread.run_sync(self.report, ship)
