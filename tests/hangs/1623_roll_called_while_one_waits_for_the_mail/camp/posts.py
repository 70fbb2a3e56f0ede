import contextlib
import queue
import threading
import time


class Quartermaster:
    def __init__(self, muster):
        self.muster = muster
        self.mail = queue.Queue()
        self.men = []
        self.rolls = 0
        self.flames = 0

    def hire(self, man):
        self.muster.enrol()
        self.men.append(man)

    def open(self):
        for man in self.men:
            man.start()

    def fire(self):
        while True:
            self.flames += 1
            time.sleep(0.2)

    def season(self):
        while True:
            time.sleep(0.5)
            self.muster.call()
            self.rolls += 1
            self.muster.dismiss()


class Man(threading.Thread):
    def __init__(self, posts, muster):
        super().__init__(name=type(self).__name__.lower(), daemon=True)
        self.posts = posts
        self.muster = muster
        self.done = 0

    def run(self):
        while True:
            self.muster.pass_by()
            self.work()
            self.done += 1


class Courier(Man):
    def work(self):
        time.sleep(0.12)
        self.posts.mail.put("letter %d" % self.done)


class Cook(Man):
    def work(self):
        time.sleep(0.05)


class Scribe(Man):
    def __init__(self, posts, muster, marked):
        super().__init__(posts, muster)
        self.marked = marked

    def work(self):
        with self.muster.leave_of_absence() if self.marked else contextlib.nullcontext():
            for _ in range(2):
                self.posts.mail.get()
