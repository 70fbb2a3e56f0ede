import http.client
import http.server
import os
import threading

HANG_UP = False


class Desk(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"no guests"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *line):
        pass


class Hotel:
    def __init__(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Desk)
        self.porter = threading.Thread(target=self.attend, name="porter", daemon=True)
        self.porter.start()

    def attend(self):
        self.server.serve_forever(poll_interval=0.05)

    def close(self):
        self.server.shutdown()
        self.porter.join()
        self.server.server_close()


class Manager:
    def __init__(self, hotel):
        self.line = http.client.HTTPConnection("127.0.0.1", hotel.server.server_address[1])

    def ask(self, question):
        self.line.request("GET", "/" + question)
        return self.line.getresponse().read()

    def leave(self):
        if HANG_UP:
            self.line.close()


def night():
    hotel = Hotel()
    manager = Manager(hotel)
    manager.ask("guests")
    manager.leave()
    hotel.close()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        night()


if __name__ == "__main__":
    main()
