import json
import sys
import threading
import time
import urllib.request

port, customers = sys.argv[1], int(sys.argv[2])


def call(path, body=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(
        "http://127.0.0.1:%s%s" % (port, path), data, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def customer(number):
    while True:
        call("/buy/rye")


def baker():
    time.sleep(1)
    loaf = 0
    while True:
        loaf += 1
        call("/bring/rye", {"loaf": loaf})
        time.sleep(0.02)


for number in range(customers):
    threading.Thread(target=customer, args=(number,), daemon=True).start()
baker()
