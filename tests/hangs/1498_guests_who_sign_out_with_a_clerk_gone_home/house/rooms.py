import anyio


class Guest:
    def __init__(self, name):
        self.name = name
        self.steps = 0


class Room:
    def __init__(self, name, register, patience):
        self.name = name
        self.register = register
        self.patience = patience

    async def host(self, guests):
        guest = None
        try:
            async for guest in guests:
                guest.steps += 1
                await anyio.sleep(0.02)
        finally:
            with anyio.move_on_after(self.patience, shield=True):
                await self.sign_out(guest)

    async def sign_out(self, guest):
        await self.register.send((self.name, guest.steps if guest else 0))


class Clerk:
    def __init__(self, entries):
        self.entries = entries
        self.book = []

    async def write(self):
        async with self.entries:
            async for entry in self.entries:
                self.book = [*self.book, entry][-30:]
                await anyio.sleep(0.01)
