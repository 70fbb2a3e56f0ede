import os

import rollout

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rollout.run(people=12)
