import asyncio


class Persona:
    name = "persona"

    def __init__(self, direct):
        self.direct = direct

    async def on_enter(self, session):
        await session.say("hello from " + self.name)


class Receptionist(Persona):
    name = "receptionist"

    async def on_enter(self, session):
        await session.say("welcome")
        if self.direct:
            await session.say("/collect_address")
        else:
            session.say("/collect_address")


class AddressClerk(Persona):
    name = "address"

    def __init__(self, direct, book):
        super().__init__(direct)
        self.book = book

    async def on_enter(self, session):
        await asyncio.sleep(0.01)
        self.book.append("12 Elm Row")


def tools_for(book, direct):
    async def collect_address(session):
        await session.switch(AddressClerk(direct, book))
        return book[-1] if book else ""

    async def play_music(session):
        await asyncio.sleep(0.05)
        return "la"

    return {"collect_address": collect_address, "play_music": play_music}
