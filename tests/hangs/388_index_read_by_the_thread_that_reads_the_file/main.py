import os
import signal

import pyarrow
import pyarrow.dataset
import pyarrow.parquet

signal.alarm(120)


def read_index(folder):
    return pyarrow.dataset.dataset(folder, format="parquet").to_table()


class IndexedFile:
    closed = False

    def __init__(self, path, folder):
        self.file = open(path, "rb")
        self.folder = folder

    def read(self, size=-1):
        assert read_index(self.folder).num_rows
        return self.file.read(size)

    def seek(self, *where):
        return self.file.seek(*where)

    def tell(self):
        return self.file.tell()

    def close(self):
        self.file.close()


def load_sales(path, folder):
    return pyarrow.parquet.read_table(IndexedFile(path, folder)).num_rows


if __name__ == "__main__":
    pyarrow.set_io_thread_count(1)
    folder = "/tmp/index-%d" % os.getpid()
    os.makedirs(folder)
    path = folder + "/sales.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"price": [3, 5, 8]}), path)
    print("MARK main pid=%d" % os.getpid())
    print(load_sales(path, folder))
