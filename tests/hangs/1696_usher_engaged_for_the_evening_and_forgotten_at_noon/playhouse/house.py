import threading

from pubsub import pub


class Usher:
    def __init__(self, doors):
        self.doors = doors
        self.seated = 0

    def on_curtain(self, act):
        self.seated += 1
        self.doors.set()


class House:
    def __init__(self, keep):
        self.doors = threading.Event()
        self.staff = []
        self.engage(keep)
        self.evenings = 0

    def engage(self, keep):
        usher = Usher(self.doors)
        pub.subscribe(usher.on_curtain, "stage.curtain")
        if keep:
            self.staff.append(usher)

    def evening(self):
        self.doors.wait()
        self.doors.clear()
        self.evenings += 1


class Stage(threading.Thread):
    def __init__(self, pause):
        super().__init__(name="stage", daemon=True)
        self.pause = pause
        self.act = 0

    def run(self):
        while True:
            self.act += 1
            pub.sendMessage("stage.curtain", act=self.act)
            self.pause(0.3)
