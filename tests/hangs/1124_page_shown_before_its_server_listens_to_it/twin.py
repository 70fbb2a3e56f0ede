import http.server
import os
import signal
import sys
import time
import urllib.request
import webbrowser

signal.alarm(120)

KIND = webbrowser.BackgroundBrowser


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.answers.append(self.path)
        words = b"You are signed in."
        self.send_response(200)
        self.send_header("Content-Length", str(len(words)))
        self.end_headers()
        self.wfile.write(words)

    def log_message(self, *words):
        pass


class SignIn:
    def __init__(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Page)
        self.server.answers = []

    def address(self):
        return "http://127.0.0.1:%d/signed-in" % self.server.server_address[1]

    def show_page(self):
        webbrowser.get("reader").open(self.address())

    def wait_for_answer(self):
        before = len(self.server.answers)
        while len(self.server.answers) == before:
            self.server.handle_request()
        return self.server.answers[-1]


def load(address):
    with urllib.request.urlopen(address) as page:
        print(page.read().decode())


def sign_in_all():
    command = [sys.executable, __file__, "browser", "%s"]
    webbrowser.register("reader", None, KIND(command))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sign_in = SignIn()
    while True:
        sign_in.show_page()
        sign_in.wait_for_answer()
        time.sleep(0.2)


if __name__ == "__main__":
    if sys.argv[1:2] == ["browser"]:
        load(sys.argv[2])
    else:
        sign_in_all()
