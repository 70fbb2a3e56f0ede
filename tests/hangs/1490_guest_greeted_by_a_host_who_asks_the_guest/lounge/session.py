import asyncio


class Speech:
    def __init__(self, text):
        self.text = text
        self.spoken = asyncio.get_running_loop().create_future()

    def __await__(self):
        return self.spoken.__await__()


class Session:
    """Schedules what its personas say, one after another."""

    def __init__(self, tools):
        self.tools = tools
        self.persona = None
        self.entering = None
        self.wanted = asyncio.Queue()
        self.turns = asyncio.Queue()
        self.scheduler = asyncio.create_task(self._schedule(), name="scheduler")
        self.speaker = asyncio.create_task(self._speak(), name="speaker")

    async def _schedule(self):
        while True:
            persona, entered = await self.wanted.get()
            if self.entering is not None:
                await asyncio.wait([self.entering])
            self.persona = persona
            self.entering = asyncio.create_task(
                persona.on_enter(self), name="enter-" + persona.name
            )
            entered.set_result(persona)

    async def _speak(self):
        while True:
            speech = await self.turns.get()
            if speech.text.startswith("/"):
                tool = self.tools[speech.text[1:]]
                speech.spoken.set_result(await tool(self))
            else:
                await asyncio.sleep(0.02)
                speech.spoken.set_result(speech.text)

    def say(self, text):
        speech = Speech(text)
        self.turns.put_nowait(speech)
        return speech

    async def switch(self, persona):
        entered = asyncio.get_running_loop().create_future()
        await self.wanted.put((persona, entered))
        return await entered
