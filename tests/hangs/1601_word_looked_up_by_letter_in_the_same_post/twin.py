import logging
import os

from ray import serve

WORDS = {
    "oak": "a tree",
    "elm": "a tree with a lean base of its leaves",
    "ash": "a tree, or what is left of one",
    "lime": "see linden",
    "linden": "a tree that bees like",
}


@serve.deployment(max_ongoing_requests=32)
class Glossary:
    def look_up(self, word):
        return WORDS[word]

    async def define(self, word):
        text = self.look_up(word)
        if text.startswith("see "):
            other = text[4:]
            text = await self.explain(other) if BY_MAIL else self.look_up(other)
        return text

    @serve.batch(max_batch_size=8, batch_wait_timeout_s=0.01)
    async def explain(self, words):
        return [await self.define(word) for word in words]

    async def __call__(self, word):
        return await self.explain(word)


def read_through(glossary):
    asked = [glossary.remote(word) for word in WORDS]
    return [answer.result() for answer in asked]


def main():
    logging.disable(logging.WARNING)
    glossary = serve.run(Glossary.bind(), route_prefix=None)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        read_through(glossary)


BY_MAIL = False


if __name__ == "__main__":
    main()
