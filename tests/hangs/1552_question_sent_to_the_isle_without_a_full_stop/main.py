import asyncio
import os
import subprocess
import sys
from pathlib import Path

from isle.wire import Isle

HERE = Path(__file__).parent


def main(ends):
    command = [sys.executable, "-m", "isle.lighthouse"]
    light = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE)
    isle = Isle(int(light.stdout.readline()), ends)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        asyncio.run(isle.follow())
    finally:
        light.kill()


if __name__ == "__main__":
    main(ends=False)
