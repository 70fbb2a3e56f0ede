import os
import tempfile
import threading

from mill.house import Miller, Wheel

HOLDS_IT = True

if __name__ == "__main__":
    lane = tempfile.mkdtemp(prefix="mill")
    wheel = Wheel()
    threading.Thread(target=wheel.turn, name="wheel", daemon=True).start()
    miller = Miller(lane, wheel, HOLDS_IT)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    miller.week()
