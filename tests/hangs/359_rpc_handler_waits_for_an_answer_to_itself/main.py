import os
import signal
import socket
import threading

from pylsp_jsonrpc.dispatchers import MethodDispatcher
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

signal.alarm(120)


class Peer(MethodDispatcher):
    def __init__(self, connection):
        self.reader = JsonRpcStreamReader(connection.makefile("rb"))
        self.writer = JsonRpcStreamWriter(connection.makefile("wb"))
        self.endpoint = Endpoint(self, self.writer.write)

    def serve(self):
        self.reader.listen(self.endpoint.consume)


class Linter(Peer):
    def m_lint(self, path):
        width = self.endpoint.request("setting", {"name": "width"}).result()
        return f"{path}: {width} columns"


class Editor(Peer):
    def __init__(self, connection):
        super().__init__(connection)
        self.settings = {"width": 99}

    def m_setting(self, name):
        return self.settings[name]

    def save(self, path):
        return self.endpoint.request("lint", {"path": path}).result()


if __name__ == "__main__":
    left, right = socket.socketpair()
    linter, editor = Linter(left), Editor(right)
    threading.Thread(target=linter.serve, name="linter", daemon=True).start()
    threading.Thread(target=editor.serve, name="editor", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    print(editor.save("shop.py"))
