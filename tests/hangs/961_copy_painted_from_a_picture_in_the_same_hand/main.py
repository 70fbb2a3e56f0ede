import os
import tempfile
import time

import lancedb
import pyarrow as pa

AHEAD = False


class Gallery:
    def __init__(self, folder):
        self.store = lancedb.connect(folder)
        colours = pa.table({"shade": pa.array(range(400)), "brush": pa.array(range(400))})
        self.original = self.store.create_table("original", colours)
        self.copies = 0

    def strokes(self, least):
        found = self.original.search().where("shade > %d" % least).limit(200)
        for batch in found.to_batches():
            yield batch

    def prepare(self, least):
        strokes = self.strokes(least)
        return list(strokes) if AHEAD else strokes

    def hang_copy(self, least):
        schema = self.original.schema
        name = "copy%d" % (self.copies % 3)
        self.store.create_table(name, self.prepare(least), schema=schema, mode="overwrite")
        self.copies += 1


def main():
    gallery = Gallery(tempfile.mkdtemp())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        gallery.hang_copy(gallery.copies % 10)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
