import asyncio
import os

from gazette import Gazette

APART = False

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    here = os.path.dirname(os.path.abspath(__file__))
    asyncio.run(Gazette(APART).open(os.path.join(here, "readers.py")))
