import asyncio

from captions.stages import Formatter, Frame, Recognizer, Sink


class CaptionRun:
    def __init__(self, warm):
        self.outgoing = asyncio.Queue()
        self.begun = asyncio.Event()
        self.over = asyncio.Event()
        self.recognizer = Recognizer("recognizer", warm)
        self.formatter = Formatter("formatter")
        self.sink = Sink("sink", self.begun.set, self.over.set)
        self.recognizer.link(self.formatter).link(self.sink)
        self.feed = None

    def start(self):
        for stage in (self.recognizer, self.formatter, self.sink):
            stage.start()
        self.feed = asyncio.create_task(self._feed_frames(), name="feed")

    async def _feed_frames(self):
        await self.recognizer.inbox.put(Frame("start"))
        await self.begun.wait()
        while True:
            frame = await self.outgoing.get()
            await self.recognizer.inbox.put(frame)
            if frame.kind in ("end", "cancel"):
                break
        await self.over.wait()

    async def say(self, text):
        await self.outgoing.put(Frame("audio", text))

    async def drop_model(self):
        """The lease of the model went to somebody else."""
        if not self.recognizer.model:
            self.recognizer.task.cancel()

    async def stop(self):
        await self.outgoing.put(Frame("cancel"))
        await self.feed


class Studio:
    def __init__(self):
        self.runs = {}
        self.beats = 0

    async def beat(self):
        while True:
            self.beats += 1
            await asyncio.sleep(0.2)

    async def open(self, key, warm):
        run = self.runs[key] = CaptionRun(warm)
        run.start()
        return run

    async def leave(self, key):
        run = self.runs[key]
        await run.drop_model()
        await run.stop()
        del self.runs[key]
