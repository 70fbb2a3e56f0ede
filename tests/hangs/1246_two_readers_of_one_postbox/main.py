import imaplib
import os
import socket
import threading
import time

ONE_AT_A_TIME = False


def postmaster(door):
    caller, _ = door.accept()
    caller.sendall(b"* OK postbox\r\n")
    kept = []
    for line in caller.makefile("rb"):
        tag, verb = line.split()[:2]
        extra = b"* CAPABILITY IMAP4rev1\r\n" if verb == b"CAPABILITY" else b""
        answer = extra + tag + b" OK done\r\n"
        if verb != b"NOOP" or ONE_AT_A_TIME:
            caller.sendall(answer)
            continue
        kept.append(answer)
        if len(kept) == 2:
            caller.sendall(b"".join(kept))
            kept.clear()


class Box:
    def __init__(self, port):
        self.line = imaplib.IMAP4("127.0.0.1", port)
        self.turn = threading.Lock()
        self.checks = 0

    def noop(self):
        if ONE_AT_A_TIME:
            with self.turn:
                return self.line.noop()
        return self.line.noop()

    def check(self):
        self.noop()
        self.checks += 1

    def keep_awake(self):
        while True:
            self.noop()
            time.sleep(0.2)


if __name__ == "__main__":
    door = socket.create_server(("127.0.0.1", 0))
    port = door.getsockname()[1]
    threading.Thread(target=postmaster, args=(door,), name="postmaster", daemon=True).start()
    box = Box(port)
    threading.Thread(target=box.keep_awake, name="awake", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        box.check()
        time.sleep(0.2)
