import os
import signal

import requests
from desk import open_desk
from requests.adapters import HTTPAdapter

signal.alarm(120)


class Guest:
    def __init__(self, house):
        self.house = house
        self.session = requests.Session()
        self.session.mount("http://", HTTPAdapter(pool_maxsize=1, pool_block=True))
        self.session.hooks["response"].append(self.note_answer)

    def note_answer(self, response, **options):
        if response.request.path_url != "/notes":
            self.session.get(self.house + "/notes", timeout=5)

    def book_table(self):
        return self.session.get(self.house + "/tables", timeout=5).text


if __name__ == "__main__":
    guest = Guest(open_desk())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(len(guest.book_table()))
