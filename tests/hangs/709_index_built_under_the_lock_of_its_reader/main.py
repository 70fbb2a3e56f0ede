import os
import signal
import tempfile

import anyio
from anyio import to_process

from index import build_index, locked

signal.alarm(120)


async def add_word(path, word):
    with locked(path):
        with open(path, "a") as book:
            book.write(word + " x\n")
        return await to_process.run_sync(build_index, path)


async def write_dictionary(path, words):
    for word in words:
        print(await add_word(path, word))


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "words")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(write_dictionary, path, ["word%d" % n for n in range(10000)])
