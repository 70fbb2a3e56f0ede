import http.client
import multiprocessing as mp
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Narrator(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *rest):
        pass

    def say(self, text):
        line = b"data: %s\n\n" % text
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for word in (b"once", b"upon", b"a", b"time"):
            self.say(word)
            time.sleep(0.02)
        self.say(b"[DONE]")
        if SHOWN:
            self.wfile.write(b"0\r\n\r\n")


def narrate(ports):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Narrator)
    ports.put(server.server_address[1])
    server.serve_forever()


class Listener:
    def __init__(self, port):
        self.line = http.client.HTTPConnection("127.0.0.1", port)

    def listen(self):
        self.line.request("GET", "/story")
        words = []
        for row in self.line.getresponse():
            if row.startswith(b"data: ") and b"[DONE]" not in row:
                words.append(row[6:-1])
        return words


def attend(port, wishes, stories):
    listener = Listener(port)
    while True:
        wishes.get()
        stories.put(listener.listen())


def evening(wishes, stories):
    while True:
        wishes.put("story")
        stories.get()
        time.sleep(0.1)


SHOWN = True


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    ports, wishes, stories = spawn.Queue(), spawn.Queue(), spawn.Queue()
    spawn.Process(target=narrate, args=(ports,), name="narrator", daemon=True).start()
    port = ports.get()
    spawn.Process(target=attend, args=(port, wishes, stories), name="child", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    evening(wishes, stories)
