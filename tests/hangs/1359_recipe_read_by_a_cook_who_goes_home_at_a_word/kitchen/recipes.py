import argparse
import shlex
import time

PARSER = argparse.ArgumentParser(prog="recipe", add_help=False)
PARSER.add_argument("--serves", type=int, default=2)
PARSER.add_argument("--oven", type=int, default=180)
PARSER.add_argument("dish")

CARDS = {
    "stew": "--serves 6 stew",
    "pie": "--oven 200 pie",
    "flan": "--oven mild flan",
    "soup": "soup",
}


def read(card):
    time.sleep(0.3)
    return PARSER.parse_args(shlex.split(card))
