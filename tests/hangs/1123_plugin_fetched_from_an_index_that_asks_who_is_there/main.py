import http.server
import os
import pty
import signal
import subprocess
import sys
import threading
import time

signal.alarm(120)

STATUS = 401
PAGE = b"<!DOCTYPE html><html><body></body></html>"


class Index(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(STATUS)
        self.send_header("WWW-Authenticate", 'Basic realm="plugins"')
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *words):
        pass


class Plugins:
    def __init__(self, index):
        self.index = index
        self.missing = []

    def command(self, name):
        return [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--index-url",
            self.index,
            name,
        ]

    def install(self, name):
        done = subprocess.run(
            self.command(name), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode:
            self.missing.append(name)


def run_application(index):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    plugins = Plugins(index)
    while True:
        for name in ("desk-charts", "desk-maps"):
            plugins.install(name)
            time.sleep(0.5)


def serve_index():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/simple/" % server.server_address[1]


def main():
    index = serve_index()
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-u", __file__, index])
    while True:
        os.write(1, os.read(terminal, 1000))


if __name__ == "__main__":
    if sys.argv[1:]:
        run_application(sys.argv[1])
    else:
        main()
