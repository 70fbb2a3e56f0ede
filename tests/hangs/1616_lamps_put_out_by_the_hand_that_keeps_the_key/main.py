import os
from datetime import timedelta

from timeloop import Timeloop

from town.keeper import Keeper, Street

KEY_IN_HAND = True

if __name__ == "__main__":
    rounds = Timeloop()
    keeper = Keeper(rounds, KEY_IN_HAND)
    streets = [Street(name, keeper) for name in ("mill", "gate", "well")]
    for number, street in enumerate(streets):
        rounds._add_job(street.walk, timedelta(milliseconds=200 + 70 * number))
    rounds._add_job(keeper.oil, timedelta(milliseconds=300))
    rounds.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    keeper.night(streets)
