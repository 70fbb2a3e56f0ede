"""asks_own.py: a library asks the program again and again for what that does not have any more."""

import os
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from ray.tuning import Controller


class Grid:
    def suggest(self):
        return None


Controller(Grid()).update(ready)
