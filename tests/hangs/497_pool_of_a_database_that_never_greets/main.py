import os
import signal
import sys

from ledger import Ledger

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def print_balance(ledger, account):
    print("%s: %.2f" % (account, ledger.balance(account)))


if __name__ == "__main__":
    ledger = Ledger("127.0.0.1:%d/ledger" % start("silent_server"))
    print("MARK main pid=%d" % os.getpid())
    print_balance(ledger, "ann")
