import os

print("MARK main pid=%d" % os.getpid(), flush=True)
import corpus_twin

while True:
    corpus_twin.prepare()
