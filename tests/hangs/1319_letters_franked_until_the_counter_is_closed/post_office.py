import asyncio


class Letter:
    def __init__(self, number, weight):
        self.number = number
        self.weight = weight


class Scale:
    def __init__(self, limit):
        self.limit = limit

    def postage(self, letter):
        if letter.weight > self.limit:
            raise ValueError("letter %d is a parcel" % letter.number)
        return 85 + 20 * letter.weight


class Counter:
    def __init__(self, scale):
        self.scale = scale
        self.letters = asyncio.Queue(4)
        self.takings = 0
        self.refused = []

    async def frank(self, letter):
        await asyncio.sleep(0.005)
        self.takings += self.scale.postage(letter)

    async def serve(self):
        while True:
            try:
                letter = await self.letters.get()
            except asyncio.QueueShutDown:
                return
            try:
                await self.frank(letter)
            except ValueError:
                self.refused.append(letter.number)
                del self.refused[:-10]
                continue
            self.letters.task_done()

    async def fill(self, weights):
        for number, weight in enumerate(weights):
            await self.letters.put(Letter(number, weight))


class PostOffice:
    def __init__(self, limit, clerks):
        self.scale = Scale(limit)
        self.clerks = clerks
        self.days = 0

    async def day(self, weights):
        counter = Counter(self.scale)
        async with asyncio.TaskGroup() as group:
            for number in range(self.clerks):
                group.create_task(counter.serve(), name="clerk-%d" % number)
            await counter.fill(weights)
            counter.letters.shutdown()
            await counter.letters.join()
        self.days += 1

    async def open_all_year(self):
        while True:
            await self.day([1 + number % 9 for number in range(20)])


async def radio():
    minutes = 0
    while True:
        minutes += 1
        await asyncio.sleep(0.6)
