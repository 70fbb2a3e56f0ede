import threading
import time


class Diary(threading.Thread):
    def __init__(self):
        super().__init__(name="diary", daemon=True)
        self.lock = threading.Lock()
        self.sums = {}
        self.pages = 0

    def note(self, places, rewards):
        with self.lock:
            for place, reward in zip(places, rewards):
                self.sums[int(place)] = self.sums.get(int(place), 0) + float(reward)

    def run(self):
        while True:
            time.sleep(0.5)
            with self.lock:
                self.pages += 1


class Teacher:
    def __init__(self, batches, diary):
        self.batches = batches
        self.diary = diary
        self.lessons = 0

    def lesson(self):
        places, rewards = self.batches.get()
        self.diary.note(places, rewards)
        self.lessons += 1

    def teach(self):
        while True:
            self.lesson()
