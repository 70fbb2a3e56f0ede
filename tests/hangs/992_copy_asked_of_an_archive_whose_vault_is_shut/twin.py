import os
import subprocess
import sys
import tempfile
import threading

from dulwich.client import TCPGitClient
from dulwich.repo import Repo
from dulwich.server import DictBackend, TCPGitServer

OPEN = True


class Vault(DictBackend):
    def __init__(self, shelves):
        super().__init__(shelves)
        self.unlocked = threading.Event()

    def unlock(self):
        self.unlocked.set()

    def open_repository(self, path):
        self.unlocked.wait()
        return super().open_repository(path)


def run_archive():
    repository = Repo.init(tempfile.mkdtemp())
    repository.refs[b"refs/heads/main"] = b"5" * 40
    vault = Vault({b"/deeds": repository, "/deeds": repository})
    if OPEN:
        vault.unlock()
    server = TCPGitServer(vault, "127.0.0.1", 0)
    print(server.server_address[1], flush=True)
    server.serve_forever()


class Scribe:
    def __init__(self, port):
        self.archive = TCPGitClient("127.0.0.1", port)
        self.seen = {}

    def look(self, shelf):
        self.seen[shelf] = self.archive.get_refs(shelf)

    def work(self, shelves):
        for shelf in shelves:
            self.look(shelf)


def run_office():
    archive = subprocess.Popen(
        [sys.executable, "-u", __file__, "archive"], stdout=subprocess.PIPE, text=True
    )
    scribe = Scribe(int(archive.stdout.readline()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        scribe.work([b"/deeds"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["archive"]:
        run_archive()
    else:
        run_office()
