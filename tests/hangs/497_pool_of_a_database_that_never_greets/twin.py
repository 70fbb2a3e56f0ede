import os
import signal
import sys

import oracledb
from ledger import Ledger

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def print_balance(ledger, account):
    try:
        print("%s: %.2f" % (account, ledger.balance(account)))
    except oracledb.Error as error:
        print("not now: %s" % error)


if __name__ == "__main__":
    address = "127.0.0.1:%d/ledger" % start("silent_server", "slow", 0.3)
    waiting = {"getmode": oracledb.POOL_GETMODE_TIMEDWAIT, "wait_timeout": 200}
    ledger = Ledger(address, **waiting)
    print("MARK main pid=%d" % os.getpid())
    while True:
        print_balance(ledger, "ann")
