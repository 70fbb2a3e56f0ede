import multiprocessing
import queue
import time


class Singer(multiprocessing.Process):
    def __init__(self, number, songs, sung, singing, together):
        super().__init__(name="singer-%d" % number, daemon=True)
        self.number = number
        self.songs = songs
        self.sung = sung
        self.singing = singing
        self.together = together

    def sing(self, song):
        time.sleep(0.01)
        return [100 // tone for tone in song]

    def run(self):
        while True:
            self.singing.wait()
            while self.singing.is_set():
                try:
                    song = self.songs.get(timeout=0.1)
                except queue.Empty:
                    continue
                self.sung.put((self.number, self.sing(song)))
            self.together.wait()
