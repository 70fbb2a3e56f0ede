import os
import selectors
import subprocess
import sys
import threading
import time

ANSWERS = {"name": "Ada", "age": "36", "street": "Dorset", "town": "London", "country": "UK"}


class Speaker:
    def __init__(self, manner):
        here = os.path.dirname(os.path.abspath(__file__))
        self.child = subprocess.Popen(
            [sys.executable, "-u", os.path.join(here, "speaker.py"), manner],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def answer(self, text):
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()


class Room:
    def __init__(self):
        self.selector = selectors.DefaultSelector()
        self.asked = []

    def seat(self, speaker):
        self.selector.register(speaker.child.stdout, selectors.EVENT_READ, speaker)

    def hear(self, speaker):
        line = speaker.child.stdout.readline().decode()
        if not line:
            self.selector.unregister(speaker.child.stdout)
            return
        kind, _, topic = line.strip().partition(" ")
        if kind == "ASK":
            self.asked.append(topic)
            time.sleep(0.1)
            speaker.answer(ANSWERS[topic])

    def moderate(self):
        while self.selector.get_map():
            for key, _ in self.selector.select():
                self.hear(key.data)


class Clock(threading.Thread):
    def __init__(self, room):
        super().__init__(name="clock", daemon=True)
        self.room = room
        self.count = 0

    def run(self):
        while True:
            self.count = len(self.room.asked)
            time.sleep(0.5)
