import os

from race.board import Board
from race.lanes import Loudspeaker, Swimmer

FOULS = {2: 4}


def main():
    board = Board(4)
    Loudspeaker(board).start()
    swimmers = [Swimmer(lane, board, FOULS.get(lane)) for lane in range(4)]
    for swimmer in swimmers:
        swimmer.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for swimmer in swimmers:
        swimmer.join()


if __name__ == "__main__":
    main()
