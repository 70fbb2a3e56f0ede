import os
import tempfile

from zlib_ng import gzip_ng_threaded


class Packer:
    def __init__(self, threads):
        self.folder = tempfile.mkdtemp()
        self.threads = threads
        self.file = None

    def begin(self, name):
        path = os.path.join(self.folder, name + ".gz")
        self.file = gzip_ng_threaded.open(path, "wb", threads=self.threads)

    def add(self, letter):
        self.file.write(f"{letter['from']} to {letter['to']}\n".encode())

    def finish(self):
        self.file.close()


def letters(count, spoilt):
    for number in range(count):
        yield {"from": f"sender {number}", "to": "office"} if number != spoilt else {}
