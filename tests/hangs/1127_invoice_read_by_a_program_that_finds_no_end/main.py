import os
import signal
import sys
import tempfile
import time

import pytesseract
from PIL import Image

signal.alarm(120)

GREY = 160


def separate(grey):
    columns = 0
    while grey != 255:
        columns = (columns + 1) % 4096
        if columns == 0 and grey == 200:
            break
    return columns


def recognise(name, base):
    with Image.open(name) as image:
        grey = image.convert("L").getpixel((0, 0))
    separate(grey)
    with open(base + ".txt", "w") as text:
        text.write("total %d\n" % grey)


def write_program(folder):
    path = os.path.join(folder, "tesseract")
    with open(path, "w") as script:
        script.write('#!/bin/sh\nexec %s %s tesseract "$@"\n' % (sys.executable, __file__))
    os.chmod(path, 0o755)
    return path


class Inbox:
    def __init__(self):
        self.texts = []

    def scans(self):
        while True:
            for grey in (255, 200, GREY):
                yield Image.new("L", (40, 20), grey)
                time.sleep(0.1)

    def read_invoice(self, scan):
        self.texts.append(pytesseract.image_to_string(scan))


def read_all():
    inbox = Inbox()
    for scan in inbox.scans():
        inbox.read_invoice(scan)


if __name__ == "__main__":
    if sys.argv[1:2] == ["tesseract"]:
        if "--version" in sys.argv:
            print("tesseract 5.3.0")
        else:
            recognise(sys.argv[2], sys.argv[3])
    else:
        with tempfile.TemporaryDirectory() as folder:
            pytesseract.pytesseract.tesseract_cmd = write_program(folder)
            print("MARK main pid=%d" % os.getpid(), flush=True)
            read_all()
