import os

from interview.room import Clock, Room, Speaker

MANNER = "together"


def main():
    room = Room()
    for _ in range(2):
        room.seat(Speaker(MANNER))
    Clock(room).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    room.moderate()


if __name__ == "__main__":
    main()
