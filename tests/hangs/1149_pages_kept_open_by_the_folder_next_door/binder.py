import sys


def bind(pages):
    return "|".join(page.strip() for page in pages)


sys.stdout.write(bind(sys.stdin))
