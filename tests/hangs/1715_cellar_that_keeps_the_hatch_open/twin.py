import ftplib
import os
import subprocess
import sys
import threading
import time

KEEPS = False
CELLAR = """
import socket, sys, threading, time

def hatch(link):
    lines = link.makefile("rw", newline="")
    served, door = 0, None
    def say(words):
        lines.write(words + chr(13) + chr(10))
        lines.flush()
    say("220 cellar")
    for line in lines:
        word = line.split()[0].upper()
        if word == "PASV":
            door = socket.create_server(("127.0.0.1", 0))
            port = door.getsockname()[1]
            say("227 ok (127,0,0,1,%d,%d)" % divmod(port, 256))
        elif word == "RETR":
            served += 1
            sack = door.accept()[0]
            say("150 go")
            sack.sendall(b"turnip" * 50)
            time.sleep(10**6 if sys.argv[1] == "keeps" and served == 5 else 0.05)
            sack.close()
            say("226 done")
        else:
            say("230 in" if word in ("USER", "PASS") else "200 ok")

house = socket.create_server(("127.0.0.1", 0))
print(house.getsockname()[1], flush=True)
while True:
    threading.Thread(target=hatch, args=(house.accept()[0],), name="hatch", daemon=True).start()
"""


def fetch(port, basket):
    cellar = ftplib.FTP()
    cellar.connect("127.0.0.1", port)
    cellar.login("cook", "salt")
    while True:
        cellar.retrbinary("RETR turnips", basket.append)
        time.sleep(0.05)


def main():
    cellar = subprocess.Popen(
        [sys.executable, "-c", CELLAR, "keeps" if KEEPS else "gives"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    port = int(cellar.stdout.readline())
    threading.Thread(target=fetch, args=(port, []), name="fetch", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main()
