import os
import threading

from camp.muster import Muster
from camp.posts import Cook, Courier, Quartermaster, Scribe

MARKED = False

if __name__ == "__main__":
    muster = Muster()
    posts = Quartermaster(muster)
    posts.hire(Courier(posts, muster))
    posts.hire(Scribe(posts, muster, MARKED))
    posts.hire(Cook(posts, muster))
    posts.open()
    threading.Thread(target=posts.fire, name="fire", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    posts.season()
