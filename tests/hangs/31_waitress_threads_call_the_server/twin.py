import os
import signal
import subprocess
import sys
import threading

import requests
import waitress

signal.alarm(120)
PORT = []
both = threading.Barrier(2)
CLIENT = """
import sys, threading, time, urllib.request
def visit():
    while True:
        urllib.request.urlopen("http://127.0.0.1:%d/page").read()
        time.sleep(0.05)
threads = [threading.Thread(target=visit) for _ in range(2)]
for thread in threads: thread.start()
"""


def fetch_menu():
    return requests.get(f"http://127.0.0.1:{PORT[0]}/menu").content


def page_with_menu():
    both.wait()
    return b"<html>" + fetch_menu()


def application(environ, start_response):
    page = page_with_menu() if environ["PATH_INFO"] == "/page" else b"<menu>"
    start_response("200 OK", [("Content-Length", str(len(page)))])
    return [page]


if __name__ == "__main__":
    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=6)
    PORT.append(int(server.effective_port))
    subprocess.Popen([sys.executable, "-c", CLIENT % PORT[0]])
    print("MARK main pid=%d" % os.getpid())
    server.run()
