from towers.coast import watch_coast
from towers.tower import Tower

if __name__ == "__main__":
    watch_coast(Tower, 0.1)
