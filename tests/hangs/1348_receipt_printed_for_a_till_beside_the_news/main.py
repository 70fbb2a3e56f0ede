import http.client
import http.server
import os
import queue
import socket
import socketserver
import threading
import time

OPEN = False


class News(threading.Thread):
    def __init__(self, sock):
        super().__init__(name="news", daemon=True)
        self.sock = sock

    def run(self):
        while self.sock.recv(512):
            pass


class Printer:
    def __init__(self):
        self.rolls = queue.Queue(1)
        self.rolls.put("roll-1")
        self.used = []

    def receipt(self, number):
        roll = self.rolls.get()
        self.used.append((roll, number))
        if OPEN or number % 2 == 0:
            self.rolls.put(roll)
        return b"receipt"


class Till(http.server.BaseHTTPRequestHandler):
    printer = Printer()
    numbers = iter(range(10**9))

    def do_GET(self):
        text = self.printer.receipt(next(self.numbers))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


class Shop(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def ask(port):
    failed = 0
    while failed < 20:
        time.sleep(0.2)
        till = http.client.HTTPConnection("127.0.0.1", port)
        try:
            till.request("GET", "/receipt")
            till.getresponse().read()
        except OSError:
            failed += 1
        till.close()


def main():
    shop = Shop(("127.0.0.1", 0), Till)
    if os.fork() == 0:
        if os.fork() == 0:
            port = shop.server_address[1]
            shop.socket.close()
            ask(port)
        os._exit(0)
    os.wait()
    ours, theirs = socket.socketpair()
    News(theirs).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shop.serve_forever(poll_interval=0.3)
    ours.close()


if __name__ == "__main__":
    main()
