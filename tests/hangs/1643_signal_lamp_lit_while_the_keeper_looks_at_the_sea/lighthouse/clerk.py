import time


class Clerk:
    def __init__(self, lamp):
        self.lamp = lamp
        self.asked = 0

    def ask(self, ship):
        self.lamp.answered.clear()
        self.lamp.ac_out_buffer_size = 64
        self.lamp.producer_fifo.append(b"ship %04d\n" % ship)
        self.lamp.answered.wait()
        self.asked += 1

    def work(self):
        time.sleep(1)
        while True:
            self.ask(self.asked)
            time.sleep(0.1)
