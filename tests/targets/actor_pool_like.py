"""actor_pool_like.py N: a program waits for a result of a pool of actors, in which N pieces lie."""

import os
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from ray.util.actor_pool import ActorPool

pool = ActorPool(int(sys.argv[1]))
ready()
pool.get_next_unordered()
