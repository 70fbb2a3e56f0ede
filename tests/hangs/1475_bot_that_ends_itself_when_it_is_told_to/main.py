import os

import bot

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    bot.run(notes="/light,/shutdown")
