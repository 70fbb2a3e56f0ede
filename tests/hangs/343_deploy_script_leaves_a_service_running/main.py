import os
import signal
import sys

import invoke

signal.alarm(120)
SCRIPT = """
echo starting
%s -c "import time; time.sleep(%d)" &
echo started
"""


def start_web(seconds):
    return invoke.run(SCRIPT % (sys.executable, seconds), hide=True, in_stream=False)


def deploy_release():
    print(start_web(1000).stdout)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    deploy_release()
