import asyncio
import logging
import os
import threading
import time

from newsroom.press import Press, Reporter

log = logging.getLogger("desk")


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="clock", daemon=True)
        self.ticks = 0

    def run(self):
        while True:
            self.ticks += 1
            time.sleep(0.3)


class Desk:
    def __init__(self, stories, pause):
        self.press = Press(pause)
        self.reporter = Reporter(self.press, stories)

    async def write(self):
        loop = asyncio.get_running_loop()
        for story in self.reporter.stories:
            page = await loop.run_in_executor(None, self.reporter.draft, story)
            self.press.pages.put_nowait(page)
            await asyncio.sleep(0.05)
        self.press.pages.put_nowait(None)

    async def edition(self):
        printing = asyncio.create_task(asyncio.to_thread(self.press.roll))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await asyncio.gather(self.write(), printing)
        return len(self.press.printed)


def publish(stories, pause):
    Clock().start()
    try:
        count = asyncio.run(Desk(stories, pause).edition())
    except ValueError as error:
        log.error("edition given up: %s", error)
        return
    log.info("%d pages", count)
