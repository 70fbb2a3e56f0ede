import asyncio
import os
import subprocess
import sys
from pathlib import Path

from smoke.yard import cook

HERE = Path(__file__).parent


def main(eager):
    command = [sys.executable, "-m", "smoke.smoker"]
    smoker = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE)
    port = int(smoker.stdout.readline())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        asyncio.run(cook(port, eager))
    finally:
        smoker.kill()


if __name__ == "__main__":
    main(eager=False)
