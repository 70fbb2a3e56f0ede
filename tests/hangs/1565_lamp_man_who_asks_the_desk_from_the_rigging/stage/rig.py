import threading
import time

from pythonosc.udp_client import SimpleUDPClient


class Rig:
    def __init__(self, dimmer_port, own_port, asks):
        self.dimmer = SimpleUDPClient("127.0.0.1", dimmer_port)
        self.own_port = own_port
        self.asks = asks
        self.answered = threading.Event()
        self.level = 0.0
        self.cues = []

    def ask(self, lamp):
        self.answered.clear()
        self.dimmer.send_message("/ask", [lamp, self.own_port])
        self.answered.wait()
        return self.level

    def on_cue(self, address, lamp, target):
        level = self.ask(lamp) if self.asks else self.level
        self.cues.append((lamp, level, target))
        del self.cues[:-50]
        self.dimmer.send_message("/set", [lamp, float(target)])

    def on_level(self, address, lamp, level):
        self.level = level
        self.answered.set()


class Conductor:
    def __init__(self, port):
        self.desk = SimpleUDPClient("127.0.0.1", port)
        self.bars = 0

    def conduct(self):
        while True:
            self.bars += 1
            if self.bars <= 3 or self.bars % 4 == 0:
                self.desk.send_message("/cue", [self.bars % 8, self.bars % 10 / 10.0])
            time.sleep(0.25)
