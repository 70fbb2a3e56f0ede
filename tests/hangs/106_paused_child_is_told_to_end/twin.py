import os
import signal
import subprocess
import sys
import time

signal.alarm(120)
ENCODE = "import time\nwhile True: time.sleep(0.1)"


class Encoder:
    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-c", ENCODE])

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def end_encoding(self):
        self.process.terminate()
        return self.process.wait()


def encode_film(seconds):
    encoder = Encoder()
    time.sleep(seconds)
    encoder.pause()
    time.sleep(seconds)
    encoder.resume()
    encoder.end_encoding()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        encode_film(1)
