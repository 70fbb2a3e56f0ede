"""ray_data_like.py MODE: a program waits for a dataset whose blocks a pool of two actors makes.

"ended": both have ended; "one": one has; "restarting": one has, and the other is started anew;
"drained": nothing is said of them, as their node is drained.
"""

import os
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from ray.data._internal.execution.streaming_executor import (
    ActorPool,
    ClosingIterator,
    StreamingExecutor,
)


def score_all(pool):
    ready()
    ClosingIterator(StreamingExecutor(pool)).get_next()


mode = sys.argv[1]
pool = ActorPool()
pool.add(1)
pool.add(2, alive=mode == "one", restarting=mode == "restarting")
if mode == "drained":
    pool._draining_nodes_snapshot["node"] = 1
score_all(pool)
