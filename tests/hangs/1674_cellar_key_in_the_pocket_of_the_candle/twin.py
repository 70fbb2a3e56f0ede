import os
import tempfile

from cellar import Cellar, Clock, Household

SHUT = True

if __name__ == "__main__":
    Clock().start()
    path = os.path.join(tempfile.mkdtemp(prefix="cellar-"), "key")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Household(Cellar(path), SHUT).evening()
