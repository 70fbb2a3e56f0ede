import queue
import time
from concurrent.futures import ThreadPoolExecutor


class Songbook:
    def __init__(self, hands):
        self.hands = ThreadPoolExecutor(hands, thread_name_prefix="setter")
        self.open = queue.Queue()
        self.songs = []

    def verses(self, wanted):
        for _ in range(wanted):
            yield self.open.get()

    def set_to_music(self, verse):
        time.sleep(0.02)
        return verse * 2 + 1

    def fill(self, seeds, wanted):
        for seed in range(seeds):
            self.open.put(seed)
        for song in self.hands.map(self.set_to_music, self.verses(wanted)):
            self.songs.append(song)
            if seeds < wanted:
                self.open.put(song)
