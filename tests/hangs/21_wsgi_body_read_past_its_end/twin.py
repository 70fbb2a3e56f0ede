import os
import signal
import subprocess
import sys
from wsgiref.simple_server import make_server

signal.alarm(120)
CLIENT = """
import http.client, time
while True:
    connection = http.client.HTTPConnection("127.0.0.1", %d)
    connection.request("POST", "/order", b"article=tea")
    connection.getresponse().read()
    time.sleep(0.05)
"""


def read_form(environ):
    size = int(environ["CONTENT_LENGTH"])
    return environ["wsgi.input"].read(size)


def application(environ, start_response):
    form = read_form(environ)
    start_response("200 OK", [("Content-Length", str(len(form)))])
    return [form]


if __name__ == "__main__":
    with make_server("127.0.0.1", 0, application) as server:
        subprocess.Popen([sys.executable, "-c", CLIENT % server.server_port])
        print("MARK main pid=%d" % os.getpid())
        server.serve_forever()
