import os
import subprocess
import sys
import tempfile
import time

MIXER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mixer.py")


class Theatre:
    def __init__(self, folder):
        self.sound = os.path.join(folder, "sound")
        self.picture = os.path.join(folder, "picture")
        os.mkfifo(self.sound)
        os.mkfifo(self.picture)
        self.evenings = 0

    def start_mixer(self):
        return subprocess.Popen([sys.executable, MIXER, *ORDER(self.sound, self.picture)])

    def feed(self, scenes):
        with open(self.sound, "w") as sound, open(self.picture, "w") as picture:
            for scene in scenes:
                sound.write("hum %s\n" % scene)
                picture.write("show %s\n" % scene)

    def play(self):
        mixer = self.start_mixer()
        self.feed(["dawn", "noon", "night"])
        mixer.wait()
        self.evenings += 1


def picture_first(sound, picture):
    return picture, sound


def sound_first(sound, picture):
    return sound, picture


ORDER = picture_first


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        theatre = Theatre(folder)
        while True:
            theatre.play()
            time.sleep(0.02)
