import asyncio
from dataclasses import dataclass, field


@dataclass
class Frame:
    kind: str
    text: str = ""
    marks: list = field(default_factory=list)


class Stage:
    """One step of a pipeline: takes frames, hands them on."""

    def __init__(self, name):
        self.name = name
        self.inbox = asyncio.Queue()
        self.following = None
        self.task = None

    def link(self, following):
        self.following = following
        return following

    def start(self):
        self.task = asyncio.create_task(self._pump(), name=self.name)

    async def _pump(self):
        while True:
            frame = await self.inbox.get()
            await self.process(frame)
            if frame.kind in ("end", "cancel"):
                return

    async def push(self, frame):
        if self.following is not None:
            await self.following.inbox.put(frame)

    async def process(self, frame):
        await self.push(frame)


class Recognizer(Stage):
    def __init__(self, name, warm):
        super().__init__(name)
        self.warm = warm
        self.model = None

    async def process(self, frame):
        if frame.kind == "start":
            self.model = await self.load()
        elif frame.kind == "audio":
            frame = Frame("words", frame.text.upper(), [*frame.marks, self.name])
        await self.push(frame)

    async def load(self):
        await asyncio.sleep(0.05 if self.warm else 0.5)
        return object()


class Formatter(Stage):
    async def process(self, frame):
        if frame.kind == "words":
            frame.text = frame.text.capitalize()
        await self.push(frame)


class Sink(Stage):
    def __init__(self, name, on_start, on_end):
        super().__init__(name)
        self.on_start = on_start
        self.on_end = on_end
        self.lines = []

    async def process(self, frame):
        if frame.kind == "start":
            self.on_start()
        elif frame.kind == "words":
            self.lines = [*self.lines, frame.text][-20:]
        elif frame.kind in ("end", "cancel"):
            self.on_end()
