import os
import signal
import subprocess
import tempfile

import imageio_ffmpeg

signal.alarm(120)
FFMPEG = imageio_ffmpeg.get_ffmpeg_exe()


class CuttingRoom:
    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name + ".mp4")

    def cut(self, name, seconds):
        source = "testsrc=duration=%d:size=64x64:rate=5" % seconds
        command = [FFMPEG, "-v", "error", "-f", "lavfi", "-i", source, self.path(name)]
        cutter = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        complaints = cutter.stderr.read()
        return cutter.wait(), complaints


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        room = CuttingRoom(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        for seconds in (2, 1):
            room.cut("trailer", seconds)
