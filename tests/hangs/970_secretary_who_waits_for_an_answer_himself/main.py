import os
import sys
import tempfile
import time

import pynvim

ASKS = True
EDITOR = """
import os
import sys

import msgpack

fifo, asks = sys.argv[1], sys.argv[2] == "True"
answers = os.open(fifo, os.O_RDWR)


def confirm(question):
    return os.read(answers, 1) == b"y"


def answer(number, result):
    sys.stdout.buffer.write(msgpack.packb([1, number, None, result]))
    sys.stdout.buffer.flush()


def serve():
    types = {"Buffer": {"id": 0}, "Window": {"id": 1}, "Tabpage": {"id": 2}}
    unpacker = msgpack.Unpacker()
    while piece := os.read(0, 4096):
        unpacker.feed(piece)
        for message in unpacker:
            if message[0] != 0:
                continue
            number, method = message[1:3]
            if method in ("nvim_get_api_info", b"nvim_get_api_info"):
                answer(number, [1, {"version": {}, "types": types}])
                continue
            if asks and number > 3:
                confirm("overwrite?")
            answer(number, None)


serve()
"""


class Office:
    def __init__(self, folder):
        self.folder = folder
        self.letters = 0

    def hire(self):
        script = os.path.join(self.folder, "editor.py")
        with open(script, "w") as file:
            file.write(EDITOR)
        fifo = os.path.join(self.folder, "answers")
        os.mkfifo(fifo)
        self.editor = pynvim.attach("child", argv=[sys.executable, script, fifo, str(ASKS)])

    def dictate(self, line):
        self.editor.command("normal o" + line)
        self.editor.command("write")
        self.letters += 1


def main():
    office = Office(tempfile.mkdtemp())
    office.hire()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.dictate("Dear Sir")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
