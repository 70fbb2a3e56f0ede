import signal
import sys

from cellar import Cellar

signal.alarm(120)


def put_reds_away(cellar):
    while True:
        cellar.put_away("reds")


put_reds_away(Cellar(sys.argv[1], ("reds", "whites"), sys.argv[2] == "polite"))
