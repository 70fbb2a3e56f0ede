import asyncio


class Progress:
    def __init__(self, loop):
        self.loop = loop
        self.done = {}
        self.watchers = []

    async def _note(self, picture, percent):
        self.done[picture] = percent
        for watcher in self.watchers:
            watcher.put_nowait((picture, percent))
        return len(self.done)

    def tell(self, picture, percent):
        note = self._note(picture, percent)
        return asyncio.run_coroutine_threadsafe(note, self.loop).result()


PROGRESS = None


def open_progress(loop):
    global PROGRESS
    PROGRESS = Progress(loop)
    return PROGRESS


def develop(picture):
    grey = 0
    for line in range(40):
        grey = (grey * 31 + line + picture) % 255
    PROGRESS.tell(picture, 50)
    for line in range(40):
        grey = (grey * 17 + line) % 255
    PROGRESS.tell(picture, 100)
    return grey
