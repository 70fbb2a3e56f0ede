import threading

import fakeredis


class Mill:
    def __init__(self, floor):
        self.house = fakeredis.FakeServer()
        self.front = fakeredis.FakeRedis(server=self.house, db=0)
        self.back = fakeredis.FakeRedis(server=self.house, db=floor)

    def bring(self):
        for sack in ("rye", "oats", "wheat"):
            self.front.rpush("sacks", sack)

    def start_bringing(self):
        threading.Thread(target=self.bring, name="cart").start()

    def grind(self):
        _, sack = self.back.blpop("sacks", timeout=0)
        return sack
