import os
import threading

from market.board import Board
from market.prices import Market

if __name__ == "__main__":
    parts = {"bread": ["flour", "salt"], "flour": ["wheat", "bread"], "salt": [], "wheat": []}
    market = Market(parts)
    board = Board(market)
    threading.Thread(target=board.watch, name="board", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        sellers = [
            threading.Thread(target=board.ask, args=("bread",), name="baker"),
            threading.Thread(target=board.ask, args=("flour",), name="miller"),
        ]
        for seller in sellers:
            seller.start()
        for seller in sellers:
            seller.join()
        market.close()
