import os
import socket
import subprocess
import sys
import time
import xmlrpc.client
from xmlrpc.server import SimpleXMLRPCServer

from kobo.worker.logger import LoggingIO, LoggingThread

PICKS_UP = False


def run_hub():
    if PICKS_UP:
        server = SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False, allow_none=True)
        server.register_function(lambda task, name, data: len(data.data), "upload")
        print(server.server_address[1], flush=True)
        server.serve_forever()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    calls = []
    while True:
        calls.append(listener.accept()[0])


class Hub:
    def __init__(self, port):
        self.proxy = xmlrpc.client.ServerProxy("http://127.0.0.1:%d" % port, allow_none=True)

    def upload_task_log(self, data, task, name, append=True):
        self.proxy.upload(task, name, xmlrpc.client.Binary(data.read()))


class Build:
    def __init__(self, out):
        self.out = out
        self.built = 0

    def compile(self, unit):
        self.out.write("compiling %s with all warnings\n" % unit)
        self.built += 1

    def run(self, units):
        for unit in units:
            self.compile(unit)
            time.sleep(0.002)


class Null:
    def write(self, data):
        return len(data)


def main():
    hub = subprocess.Popen(
        [sys.executable, "-u", __file__, "hub"], stdout=subprocess.PIPE, text=True
    )
    thread = LoggingThread(Hub(int(hub.stdout.readline())), 17, name="log", daemon=True)
    thread.start()
    build = Build(LoggingIO(Null(), thread))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        build.run("unit%03d.c" % number for number in range(100))


if __name__ == "__main__":
    if sys.argv[1:2] == ["hub"]:
        run_hub()
    else:
        main()
