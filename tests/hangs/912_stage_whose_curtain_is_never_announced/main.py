import os
import stat
import sys
import tempfile
import time

from pyvirtualdisplay.display import Display

TELLS_ITS_NUMBER = False
STAGE = """#!{python}
import os, sys, time
if "-help" in sys.argv:
    sys.stderr.write("-displayfd fd  -noreset")
    sys.exit()
if {tells}:
    os.write(int(sys.argv[sys.argv.index("-displayfd") + 1]), b"77\\n")
time.sleep(1000)
"""


def build_stage(folder):
    path = os.path.join(folder, "Xvfb")
    with open(path, "w") as script:
        script.write(STAGE.format(python=sys.executable, tells=TELLS_ITS_NUMBER))
    os.chmod(path, stat.S_IRWXU)
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]


class Theatre:
    def __init__(self):
        self.evenings = 0

    def raise_curtain(self):
        stage = Display(backend="xvfb", size=(320, 200), manage_global_env=False)
        stage.start()
        return stage

    def play(self):
        stage = self.raise_curtain()
        time.sleep(0.2)
        self.evenings += 1
        stage.stop()


def main():
    build_stage(tempfile.mkdtemp())
    theatre = Theatre()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        theatre.play()


if __name__ == "__main__":
    main()
