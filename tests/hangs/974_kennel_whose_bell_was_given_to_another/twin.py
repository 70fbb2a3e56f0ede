import os
import signal
import subprocess
import sys
import threading
import time

GROOMS = False
WALK = "import time; time.sleep(0.3)"


class Kennel:
    def __init__(self):
        self.returned = threading.Condition()
        self.home = set()
        self.walks = 0
        signal.signal(signal.SIGCHLD, self.on_return)

    def on_return(self, signum, frame):
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            with self.returned:
                self.home.add(pid)
                self.returned.notify_all()

    def walk_dog(self):
        dog = subprocess.Popen([sys.executable, "-c", WALK])
        return dog.pid

    def wait_for_dog(self, pid):
        with self.returned:
            while pid not in self.home:
                self.returned.wait()
            self.home.discard(pid)
        self.walks += 1


class Groomer:
    def __init__(self):
        self.washed = 0

    def open_shop(self):
        signal.signal(signal.SIGCHLD, self.on_wash)

    def on_wash(self, signum, frame):
        self.washed += 1


def main():
    kennel = Kennel()
    groomer = Groomer()
    if GROOMS:
        groomer.open_shop()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        kennel.wait_for_dog(kennel.walk_dog())
        time.sleep(0.05)


if __name__ == "__main__":
    main()
