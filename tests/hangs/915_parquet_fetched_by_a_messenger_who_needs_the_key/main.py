import datetime
import io
import os
import tempfile
import time

import duckdb
import fsspec

MESSENGER = True
ROWS = 50_000
MODIFIED = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)


class Store(fsspec.AbstractFileSystem):
    protocol = "store"
    fsid = "store"

    def __init__(self):
        super().__init__()
        self.shelves = {}

    def ls(self, path, detail=True, **options):
        found = [name for name in self.shelves if name.startswith(path)]
        if not detail:
            return found
        return [
            {"name": name, "size": len(self.shelves[name]), "type": "file", "created": 0}
            for name in found
        ]

    def modified(self, path):
        return MODIFIED

    def info(self, path, **options):
        name = self._strip_protocol(path)
        return {"name": name, "size": len(self.shelves[name]), "type": "file", "created": 0}

    def _open(self, path, mode="rb", **options):
        return io.BytesIO(self.shelves[self._strip_protocol(path)])


class Census:
    def __init__(self, folder):
        self.folder = folder
        self.base = duckdb.connect()
        self.base.execute("SET threads = 4")
        self.store = Store()
        self.base.register_filesystem(self.store)

    def collect(self, towns):
        for town in range(towns):
            path = os.path.join(self.folder, "town%d.parquet" % town)
            self.base.execute(
                "COPY (FROM generate_series(%d)) TO '%s' (FORMAT parquet)" % (ROWS, path)
            )
            with open(path, "rb") as written:
                self.store.shelves["town%d.parquet" % town] = written.read()

    def where(self):
        if MESSENGER:
            return ["store://" + name for name in self.store.shelves]
        return [os.path.join(self.folder, name) for name in self.store.shelves]

    def count(self):
        return self.base.read_parquet(self.where()).count("*").fetchall()


def main():
    census = Census(tempfile.mkdtemp())
    census.collect(12)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        census.count()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
