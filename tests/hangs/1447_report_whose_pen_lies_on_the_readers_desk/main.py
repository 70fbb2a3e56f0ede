import asyncio
import os

from survey.party import Drill, Party

TIDY = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(Party(Drill(TIDY)).summer())
