import json
import sys
import threading
import time
import urllib.request


def call(port, path, body=None):
    with urllib.request.urlopen("http://127.0.0.1:%s%s" % (port, path), body) as reply:
        return reply.read()


def reader(port):
    seen = 0
    while True:
        seen += len(json.loads(call(port, "/read?seen=%d" % seen)))


def writer(port):
    time.sleep(0.5)
    while True:
        call(port, "/write", b"note")
        time.sleep(0.2)


if __name__ == "__main__":
    for work in (reader, reader, writer):
        threading.Thread(target=work, args=(sys.argv[1],)).start()
    while True:
        call(sys.argv[1], "/health")
        time.sleep(1)
