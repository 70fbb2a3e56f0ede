import io
import os
import signal
import subprocess
import sys
import tarfile
import time

signal.alarm(120)

BLOCKS = 4


class Exporter:
    def __init__(self, output):
        self.output = output

    def add(self, archive, name, words):
        member = tarfile.TarInfo(name)
        member.size = len(words)
        archive.addfile(member, io.BytesIO(words))

    def pad(self, blocks):
        for _ in range(blocks):
            self.output.write(bytes(512))
        self.output.flush()

    def export(self, count):
        with tarfile.open(fileobj=self.output, mode="w|") as archive:
            for number in range(count):
                self.add(archive, "page-%d.txt" % number, b"page %d\n" % number)
        self.pad(BLOCKS)


class Mirror:
    def __init__(self):
        self.pages = {}

    def start_export(self):
        return subprocess.Popen([sys.executable, "-u", __file__, "export"], stdout=subprocess.PIPE)

    def unpack(self):
        exporter = self.start_export()
        with tarfile.open(fileobj=exporter.stdout, mode="r|") as archive:
            for member in archive:
                self.pages[member.name] = archive.extractfile(member).read()
        exporter.wait()


def run():
    mirror = Mirror()
    while True:
        mirror.unpack()
        time.sleep(0.2)


if __name__ == "__main__":
    if sys.argv[1:2] == ["export"]:
        Exporter(sys.stdout.buffer).export(30)
    else:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        run()
