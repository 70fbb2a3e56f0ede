import asyncio
import multiprocessing

from choir.singers import Singer


class Conductor:
    def __init__(self, singers, highest):
        self.songs = multiprocessing.Queue()
        self.sung = multiprocessing.Queue()
        self.singing = multiprocessing.Event()
        self.together = multiprocessing.Barrier(singers + 1)
        self.highest = highest
        self.singers = [
            Singer(number, self.songs, self.sung, self.singing, self.together)
            for number in range(singers)
        ]
        self.stages = 0

    def start(self):
        for singer in self.singers:
            singer.start()

    async def stage(self, seconds):
        for number in range(30):
            self.songs.put(
                [1 + (number + tone) % 7 - (number == self.highest) for tone in range(3)]
            )
        self.singing.set()
        await asyncio.sleep(seconds)
        self.singing.clear()
        self.together.wait()
        self.stages += 1
        while not self.sung.empty():
            self.sung.get()


async def report(conductor):
    while True:
        await asyncio.sleep(0.2)
        print("stages", conductor.stages, flush=True)
