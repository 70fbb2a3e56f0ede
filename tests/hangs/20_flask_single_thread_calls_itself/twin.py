import os
import signal
import socket
import subprocess
import sys

import flask
import requests

signal.alarm(120)
VISITOR = """
import time, urllib.request
time.sleep(1)
while True:
    urllib.request.urlopen(%r).read()
    time.sleep(0.05)
"""
app = flask.Flask("dashboard")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


PORT = free_port()


@app.get("/numbers")
def numbers():
    return {"sold": 3}


def fetch_numbers():
    return requests.get(f"http://127.0.0.1:{PORT}/numbers").json()


@app.get("/")
def show_dashboard():
    return str(fetch_numbers()["sold"])


def visit(url):
    return subprocess.Popen([sys.executable, "-c", VISITOR % url])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    visit(f"http://127.0.0.1:{PORT}/")
    app.run(port=PORT, threaded=True)
