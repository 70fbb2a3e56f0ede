import os
import subprocess
import sys
import threading
import time
import xmlrpc.client

HERE = os.path.dirname(os.path.abspath(__file__))


def start_backend(delay):
    command = [sys.executable, "-u", os.path.join(HERE, "backend.py"), str(delay)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    return int(server.stdout.readline())


class DumpManager:
    def __init__(self, port):
        self.backend = xmlrpc.client.ServerProxy(f"http://127.0.0.1:{port}")
        self.lock_db = threading.Lock()
        self.dumps = []

    def fetch_dumps(self):
        with self.lock_db:
            found = self.backend.list_dumps(len(self.dumps))
            self.dumps.extend(found)
            del self.dumps[:-100]

    def fetch_forever(self):
        while True:
            self.fetch_dumps()
            time.sleep(0.1)

    def insert_dump(self, text):
        with self.lock_db:
            self.dumps.append({"number": 0, "text": text})

    def count(self):
        with self.lock_db:
            return len(self.dumps)
