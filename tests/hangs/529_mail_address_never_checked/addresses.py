import re

ADDRESS = re.compile(r"^([a-z0-9]+[._-]?)+@([a-z0-9]+\.)+[a-z]{2,}$")
SAFE = re.compile(r"^[a-z0-9._-]+@[a-z0-9.]+\.[a-z]{2,}$")


def is_address(text, pattern=ADDRESS):
    return pattern.match(text) is not None
