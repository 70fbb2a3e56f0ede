import os
import signal
import subprocess
import sys
import threading

signal.alarm(120)
SERVE = "import time\nwhile True: time.sleep(0.1)"


class Wrapper:
    def __init__(self):
        self.server = subprocess.Popen([sys.executable, "-c", SERVE])
        signal.signal(signal.SIGTERM, self.stop_server)

    def stop_server(self, number, frame):
        self.server.terminate()
        self.server.wait()

    def run_server(self):
        return self.server.wait()


def serve(seconds):
    wrapper = Wrapper()
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGTERM)).start()
    wrapper.run_server()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    serve(1)
