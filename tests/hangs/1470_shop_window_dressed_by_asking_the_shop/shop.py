import json
import logging
import queue
import threading
import time

import requests
import responses

log = logging.getLogger("shop")
BASE = "https://shop.example"


class Rehearsal:
    """The shop's interface, rehearsed without the shop."""

    def __init__(self, strict):
        self.strict = strict
        self.stage = responses.RequestsMock(assert_all_requests_are_fired=False)
        self.issued = {"clerk": "t-1"}

    def has_fresh_token(self, request):
        token = request.headers.get("X-Token")
        if not self.strict:
            return token in self.issued.values(), "stale token"
        answer = requests.get(BASE + "/token", headers={"X-Clerk": "clerk"})
        return token == answer.json()["token"], "stale token"

    def give_token(self, request):
        name = request.headers["X-Clerk"]
        return 200, {}, json.dumps({"token": self.issued[name]})

    def take_order(self, request):
        time.sleep(0.05)
        return 201, {}, json.dumps({"order": 7})

    def open(self):
        self.stage.add_callback("GET", BASE + "/token", self.give_token)
        self.stage.add_callback(
            "POST", BASE + "/orders", self.take_order, match=[self.has_fresh_token]
        )
        self.stage.start()


class Client:
    def __init__(self):
        self.session = requests.Session()

    def order(self, line):
        found = self.session.post(BASE + "/orders", json=line, headers={"X-Token": "t-1"})
        return found.json()["order"]


class Till(threading.Thread):
    def __init__(self, name, lines):
        super().__init__(name=name, daemon=True)
        self.lines = lines
        self.client = Client()
        self.sold = 0

    def run(self):
        while True:
            line = self.lines.get()
            self.client.order(line)
            self.sold += 1


def run(strict):
    Rehearsal(strict).open()
    lines = queue.Queue()
    tills = [Till("till-%d" % number, lines) for number in range(2)]
    for till in tills:
        till.start()
    number = 0
    while True:
        if lines.qsize() < 20:
            lines.put({"article": number})
            number += 1
        time.sleep(0.1)
