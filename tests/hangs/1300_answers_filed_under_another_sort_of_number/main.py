import os
import socket
import subprocess
import sys

from agency.client import Client
from agency.rooms import Fountain, Reception

HERE = os.path.dirname(os.path.abspath(__file__))
PARTNERS = ["Graz", "Bern"]


def main():
    exchange = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "exchange.py"), *PARTNERS], stdout=subprocess.PIPE
    )
    port = int(exchange.stdout.readline())
    client = Client(socket.create_connection(("127.0.0.1", port)))
    Fountain().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Reception(client).evening(["Wien", "Linz", "Graz", "Bern"])


if __name__ == "__main__":
    main()
