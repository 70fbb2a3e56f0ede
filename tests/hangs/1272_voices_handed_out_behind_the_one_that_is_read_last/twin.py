import asyncio
import itertools
import os


class Studio:
    def __init__(self):
        self.spoken = asyncio.Queue()
        self.voices = {}

    def open_voice(self, name):
        self.voices[name] = asyncio.Queue(maxsize=ROOM)
        return self.voices[name]

    async def speak(self, name, words, pace):
        for word in range(words):
            await self.spoken.put((name, word))
            await asyncio.sleep(pace)
        await self.spoken.put((name, None))

    async def hand_out(self):
        while True:
            name, word = await self.spoken.get()
            await self.voices[name].put(word)


async def read_voice(voice):
    words = []
    while (word := await voice.get()) is not None:
        words.append(word)
    return words


async def read_aloud(studio):
    for number in itertools.count():
        names = ["alto-%d" % number, "bass-%d" % number]
        voices = [studio.open_voice(name) for name in names]
        speakers = [
            asyncio.create_task(studio.speak(names[0], 12, 0.01), name=names[0]),
            asyncio.create_task(studio.speak(names[1], 12, 0.002), name=names[1]),
        ]
        for voice in voices:
            await read_voice(voice)
        await asyncio.gather(*speakers)


async def main():
    studio = Studio()
    handout = asyncio.create_task(studio.hand_out(), name="handout")
    reader = asyncio.create_task(read_aloud(studio), name="reader")
    await asyncio.gather(handout, reader)


ROOM = 400


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
