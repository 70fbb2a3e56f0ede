import asyncio

from museum.halls import Guard, Hall


class Museum:
    def __init__(self, names, own_only):
        self.closing = asyncio.Event()
        self.halls = [Hall(name, self.closing) for name in names]
        self.own_only = own_only
        self.guides = []
        self.kept = None

    def open(self):
        self.guides = [
            asyncio.create_task(hall.guide(), name="guide-" + hall.name) for hall in self.halls
        ]
        if self.kept is None:
            self.kept = asyncio.create_task(Guard().walk(), name="guard")

    async def close(self):
        """Everybody may finish what he is at."""
        self.closing.set()
        if self.own_only:
            left = self.guides
        else:
            left = [
                task
                for task in asyncio.all_tasks()
                if task is not asyncio.current_task() and task is not self.kept
            ]
        await asyncio.gather(*left)
        self.closing.clear()


async def day(museum, hours):
    museum.open()
    await asyncio.sleep(hours / 10)
    closing = asyncio.create_task(museum.close(), name="closing")
    await closing
