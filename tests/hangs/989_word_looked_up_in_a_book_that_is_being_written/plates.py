import fcntl
import os

with open(os.path.join(os.environ["PRESS"], "press.lock"), "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    COPPER, COLOUR = "copper", "colour"
