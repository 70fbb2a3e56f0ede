import os
import subprocess
import sys
import threading

STOP_RADIO = True

RADIO = """
import sys, time
print("on air", flush=True)
time.sleep(86400)
"""


class Radio:
    def __init__(self):
        self.heard = []
        self.started = threading.Event()
        self.process = None

    def switch_on(self):
        self.process = subprocess.Popen([sys.executable, "-c", RADIO], stdout=subprocess.PIPE)
        threading.Thread(target=self.listen, name="listener").start()
        self.started.wait()

    def listen(self):
        for line in self.process.stdout:
            self.heard.append(line)
            self.started.set()

    def switch_off(self):
        self.process.terminate()


class Shop:
    def __init__(self):
        self.radio = Radio()
        self.sold = 0

    def open(self):
        self.radio.switch_on()

    def serve(self, customers):
        self.sold += customers

    def close(self):
        if STOP_RADIO:
            self.radio.switch_off()
        print("sold", self.sold, flush=True)


def day(customers):
    shop = Shop()
    shop.open()
    shop.serve(customers)
    shop.close()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day(31)
    while STOP_RADIO:
        day(31)


if __name__ == "__main__":
    main()
