import os
import signal
import subprocess

signal.alarm(120)


class Tour:
    def __init__(self, script):
        self.guide = subprocess.Popen(
            ["bash", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def follow(self, patience):
        try:
            story, _ = self.guide.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.guide.kill()
            story, _ = self.guide.communicate()
        return story


def walk(patience):
    return Tour("echo the bridge; sleep 0.1; echo the tower").follow(patience)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        walk(5)
