import os

import zproc

from town import bakery, brook, market, mill


def main(early):
    ctx = zproc.Context(wait=False)
    state = ctx.create_state()
    ctx.spawn(brook)
    ctx.spawn(mill)
    ctx.spawn(bakery, args=[early])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    market(state)


if __name__ == "__main__":
    main(early=False)
