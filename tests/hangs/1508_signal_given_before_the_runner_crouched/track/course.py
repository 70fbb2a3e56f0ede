import asyncio


class Course:
    """Is surveyed once; who wants to run waits for that."""

    def __init__(self, maps):
        self.maps = maps
        self.length = None
        self.waiters = []

    async def ready(self):
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        await waiter

    async def survey(self, name):
        if name not in self.maps:
            await asyncio.sleep(0.05)
            self.maps[name] = 100 + len(name)
        self.length = self.maps[name]
        for waiter in self.waiters:
            waiter.set_result(None)
        self.waiters.clear()


class Runner:
    def __init__(self, maps):
        self.maps = maps
        self.ran = 0

    async def run(self, name):
        course = Course(self.maps)
        surveyor = asyncio.create_task(course.survey(name), name="survey-" + name)
        await course.ready()
        await surveyor
        self.ran += course.length
        await asyncio.sleep(0.05)
