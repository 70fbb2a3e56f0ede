import os
import queue

from hall.floor import Floor
from hall.teacher import Diary, Teacher

if __name__ == "__main__":
    batches = queue.Queue(maxsize=8)
    floor = Floor(batches, dancers=6, together=4, again=True)
    diary = Diary()
    diary.start()
    floor.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Teacher(batches, diary).teach()
