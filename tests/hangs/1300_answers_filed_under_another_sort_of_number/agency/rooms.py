import threading
import time
from concurrent.futures import ThreadPoolExecutor


class Reception:
    def __init__(self, client, clerks=2):
        self.client = client
        self.pool = ThreadPoolExecutor(clerks, thread_name_prefix="clerk")
        self.prices = {}

    def price(self, town):
        answer = self.client.call("price", town=town)
        self.prices[town] = answer
        return answer

    def evening(self, towns):
        while True:
            for quote in [self.pool.submit(self.price, town) for town in towns]:
                quote.result()
            time.sleep(0.05)


class Fountain(threading.Thread):
    def __init__(self):
        super().__init__(name="fountain", daemon=True)
        self.level = 0

    def run(self):
        while True:
            time.sleep(0.2)
            self.level = (self.level + 1) % 100
