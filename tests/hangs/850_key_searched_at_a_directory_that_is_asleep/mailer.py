import os
import sys
import tempfile

import gnupg

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpg_stub.py")


class Mailer:
    def __init__(self, delay):
        os.environ["DIRECTORY_DELAY"] = str(delay)
        home = tempfile.mkdtemp()
        self.gpg = gnupg.GPG(gpgbinary=self.tool(home), gnupghome=home)
        self.keys = {}

    @staticmethod
    def tool(home):
        path = os.path.join(home, "gpg")
        with open(STUB) as source, open(path, "w") as copy:
            copy.write(f"#!{sys.executable}\n" + source.read())
        os.chmod(path, 0o755)
        return path

    def find_key(self, address):
        found = self.gpg.search_keys(address)
        return found[0]["keyid"] if found else None

    def send(self, address, text):
        self.keys[address] = self.find_key(address)
        return len(text)
