import anyio

from house.rooms import Clerk, Guest, Room


class Quarrel(Exception):
    pass


class Party:
    def __init__(self, patience):
        self.patience = patience
        self.held = 0

    async def dance(self, doors):
        for turn in range(4):
            for door in doors:
                await door.send(Guest("guest-%d" % turn))
            await anyio.sleep(0.05)
        raise Quarrel("about the music")

    async def evening(self):
        signed, entries = anyio.create_memory_object_stream(0)
        keep = entries.clone()
        async with anyio.create_task_group() as group:
            group.start_soon(Clerk(entries).write, name="clerk")
            doors = []
            for name in ("hall", "attic", "porch"):
                door, guests = anyio.create_memory_object_stream(2)
                doors.append(door)
                group.start_soon(Room(name, signed, self.patience).host, guests, name=name)
            group.start_soon(self.dance, doors, name="dance")
        keep.close()

    async def season(self):
        while True:
            try:
                await self.evening()
            except* Quarrel:
                self.held += 1
            await anyio.sleep(0.05)
