import os
import sys
import tempfile
import time

import ffmpeg

QUIET = False
ENCODER = """
import os, sys
size = 4096
number = 0
while True:
    frame = sys.stdin.buffer.read(size)
    if not frame:
        break
    number += 1
    done = "frame=%5d fps=25 q=28.0 size=%8dkB time=00:00:00.04 speed=1x\\n"
    sys.stderr.write(done % (number, number * 4))
    sys.stderr.flush()
"""


def install_encoder(folder):
    path = os.path.join(folder, "encoder.py")
    with open(path, "w") as file:
        file.write(ENCODER)
    return [sys.executable, path]


class Studio:
    def __init__(self, folder):
        self.folder = folder
        self.command = install_encoder(folder)
        self.reels = 0

    def open_reel(self):
        film = ffmpeg.input("pipe:", format="rawvideo", pix_fmt="gray", s="64x64")
        film = film.output(os.path.join(self.folder, "reel.mp4"))
        return film.run_async(cmd=self.command, pipe_stdin=True, quiet=QUIET)

    def wind(self, reel, frames):
        for number in range(frames):
            reel.stdin.write(bytes([number % 256]) * 4096)
        reel.stdin.close()

    def shoot(self):
        reel = self.open_reel()
        self.wind(reel, 3000)
        reel.wait()
        self.reels += 1


def main():
    studio = Studio(tempfile.mkdtemp())
    if not QUIET:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        studio.shoot()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
