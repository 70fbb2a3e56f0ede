import os

from house import Bus, Room, Window, keep_warm_by_visits


def main():
    with Bus():
        Window().start()
        room = Room()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        keep_warm_by_visits(room)


if __name__ == "__main__":
    main()
