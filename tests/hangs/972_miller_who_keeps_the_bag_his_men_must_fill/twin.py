import io
import os
import tempfile
import threading
import time

import duckdb
import fsspec

MEN = 1


class Granary(fsspec.AbstractFileSystem):
    protocol = "granary"

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.sacks = {}

    def fill(self, name, grain):
        self.sacks[name] = grain

    def ls(self, path, detail=True, **options):
        found = [name for name in self.sacks if name.startswith(path)]
        if not detail:
            return found
        return [self.info(name) for name in found]

    def info(self, path, **options):
        name = self._strip_protocol(path)
        return {"name": name, "size": len(self.sacks[name]), "type": "file"}

    def modified(self, path):
        return 0

    def _open(self, path, mode="rb", **options):
        return io.BytesIO(self.sacks[self._strip_protocol(path)])


def harvest(folder, rows):
    path = os.path.join(folder, "grain.parquet")
    duckdb.sql("COPY (FROM generate_series(%d)) TO '%s' (FORMAT parquet)" % (rows, path))
    with open(path, "rb") as file:
        return file.read()


class Mill:
    def __init__(self, granary):
        self.connection = duckdb.connect(config={"threads": MEN})
        self.connection.register_filesystem(granary)
        self.flour = 0

    def grind(self):
        bags = self.connection.read_parquet(
            ["granary://sack%d" % number for number in range(6)], union_by_name=True
        )
        self.flour += bags.count("*").fetchone()[0]


def keep_time(hours):
    while True:
        time.sleep(0.3)
        hours.append(len(hours) % 24)
        del hours[:-24]


def main():
    granary = Granary()
    grain = harvest(tempfile.mkdtemp(), 50000)
    for number in range(6):
        granary.fill("sack%d" % number, grain)
    mill = Mill(granary)
    threading.Thread(target=keep_time, args=([],), name="clock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mill.grind()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
