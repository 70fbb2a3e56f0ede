import asyncio

from asyncinotify import Inotify, Mask


class Reader:
    """Reads every page of the tray as soon as it is complete."""

    def __init__(self, tray):
        self.tray = tray
        self.watch = Inotify()
        self.verdicts = {}
        self.read = 0

    def look(self):
        self.watch.add_watch(self.tray, Mask.CLOSE_WRITE)

    async def verdict(self, path):
        verdict = self.verdicts[path] = asyncio.get_running_loop().create_future()
        return await verdict

    def count_faults(self, path):
        with open(path) as page:
            return page.read().count("ee")

    async def work(self):
        async for event in self.watch:
            path = str(event.path)
            self.read += 1
            verdict = self.verdicts.pop(path, None)
            if verdict is not None:
                verdict.set_result(self.count_faults(path))
