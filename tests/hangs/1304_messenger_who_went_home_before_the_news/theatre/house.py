import threading
import time

from pubsub import pub


class Usher:
    def __init__(self, keep):
        self.keep = keep
        self.calls = []
        self.messengers = []

    def next_act(self):
        come = threading.Event()

        def messenger(number):
            self.calls = [*self.calls[-10:], number]
            come.set()

        self.send_out(messenger)
        del messenger
        come.wait()

    def send_out(self, messenger):
        if self.keep:
            self.messengers = [*self.messengers[-3:], messenger]
        pub.subscribe(messenger, "stage.act")

    def evening(self):
        while True:
            self.next_act()
            time.sleep(0.02)


class Cloakroom(threading.Thread):
    def __init__(self):
        super().__init__(name="cloakroom", daemon=True)
        self.coats = 0

    def run(self):
        while True:
            time.sleep(0.25)
            self.coats += 1
