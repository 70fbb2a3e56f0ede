from bakery.shift import Shift

if __name__ == "__main__":
    Shift(["north", "south"]).night(leavers=0, pause=0.3)
