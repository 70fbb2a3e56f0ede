import os
import sys

import ffmpeg

WIDTH, HEIGHT = 160, 120
REMARK = "picture %06d cut at %02d:%02d, quality good, nothing to be seen of the microphone\n"


def run_cutter():
    size = WIDTH * HEIGHT * 3
    number = 0
    while sys.stdin.buffer.read(size):
        number += 1
        sys.stderr.write(REMARK % (number, number // 60, number % 60))


class Studio:
    def __init__(self):
        self.pictures = 0

    def start_cutter(self, name):
        return (
            ffmpeg.input("pipe:", format="rawvideo", pix_fmt="rgb24", s="%dx%d" % (WIDTH, HEIGHT))
            .output(name)
            .run_async(cmd=[sys.executable, "-u", __file__, "cutter"], pipe_stdin=True, quiet=True)
        )

    def paint(self, number):
        return bytes([number % 256]) * (WIDTH * HEIGHT * 3)

    def cut(self, name, length):
        cutter = self.start_cutter(name)
        for number in range(length):
            cutter.stdin.write(self.paint(number))
            self.pictures += 1
        cutter.stdin.close()
        cutter.wait()


def run_studio():
    studio = Studio()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        studio.cut("summer.mp4", 4000)


if __name__ == "__main__":
    if sys.argv[1:2] == ["cutter"]:
        run_cutter()
    else:
        run_studio()
