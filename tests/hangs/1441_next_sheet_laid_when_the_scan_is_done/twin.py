import os

import gevent

from copyshop.desk import Desk, count_coins, show_prices
from copyshop.scanner import Scanner, Tray

PAGES = 3


if __name__ == "__main__":
    desk = Desk(Scanner(Tray()), PAGES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    gevent.joinall(
        [
            gevent.spawn(desk.serve),
            gevent.spawn(count_coins, []),
            gevent.spawn(show_prices, {}),
        ]
    )
