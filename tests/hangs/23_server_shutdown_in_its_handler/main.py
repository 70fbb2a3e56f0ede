import http.server
import os
import signal
import subprocess
import sys

signal.alarm(120)
CLIENT = """
import time, urllib.request
while True:
    urllib.request.urlopen("http://127.0.0.1:%d/stop", b"").read()
    time.sleep(0.05)
"""


def stop_server(server):
    server.shutdown()


class Control(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        stop_server(self.server)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    server = http.server.HTTPServer(("127.0.0.1", 0), Control)
    subprocess.Popen([sys.executable, "-c", CLIENT % server.server_port])
    print("MARK main pid=%d" % os.getpid())
    server.serve_forever()
