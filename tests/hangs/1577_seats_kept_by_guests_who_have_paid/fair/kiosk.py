import threading

import requests


class Kiosk(threading.Thread):
    def __init__(self, number, port, keeps):
        super().__init__(name="kiosk-%d" % number, daemon=True)
        self.url = "http://127.0.0.1:%d/tickets" % port
        self.keeps = keeps
        self.session = requests.Session()
        self.opened = threading.Event()
        self.called = threading.Event()
        self.tickets = []

    def buy(self):
        headers = {} if self.keeps else {"Connection": "close"}
        reply = self.session.get(self.url, headers=headers)
        self.tickets.append(int(reply.text))

    def run(self):
        self.buy()
        self.opened.set()
        while not self.called.wait(None if self.keeps else 0.2):
            self.buy()
            del self.tickets[:-5]
