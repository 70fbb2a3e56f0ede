import asyncio
import os
import subprocess
import sys
from pathlib import Path

from bar import Barkeeper, wind_clock

HERE = Path(__file__).parent
ASIDE = False


def main():
    inn = subprocess.Popen([sys.executable, str(HERE / "inn.py")], stdout=subprocess.PIPE)
    port = int(inn.stdout.readline())
    loop = asyncio.get_event_loop()
    keeper = Barkeeper("keeper", realname="keeper", eventloop=loop, aside=ASIDE)
    loop.create_task(wind_clock({}))
    loop.run_until_complete(keeper.connect("127.0.0.1", port=port, tls=False))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        loop.run_forever()
    finally:
        inn.kill()


if __name__ == "__main__":
    main()
