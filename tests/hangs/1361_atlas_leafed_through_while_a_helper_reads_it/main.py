import os
import time

from survey.atlas import Atlas, make
from survey.party import Party, Weather

LEAFING = True


def main():
    party = Party(Atlas(make()), 2)
    Weather().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for _ in range(400):
        party.survey(LEAFING)
        time.sleep(0.1)


if __name__ == "__main__":
    main()
