import os
import queue
import threading

from harbour.model import Ferry, Office, Timetable
from harbour.desk import Board, Desk

BY_HAND = True

if __name__ == "__main__":
    bookings = queue.Queue()
    timetable = Timetable(bookings, BY_HAND)
    board = Board()
    desk = Desk(timetable, board)
    timetable.add(Ferry(timetable, board, "heron"))
    timetable.add(Office(timetable, board))
    threads = [
        threading.Thread(target=timetable.play, name="season", daemon=True),
        threading.Thread(target=board.blink, name="board", daemon=True),
    ]
    for thread in threads:
        thread.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    desk.close_season()
