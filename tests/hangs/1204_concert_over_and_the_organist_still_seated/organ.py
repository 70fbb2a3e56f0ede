import sys


def play_all():
    for song in sys.stdin:
        print("played", song.strip(), flush=True)


if __name__ == "__main__":
    play_all()
