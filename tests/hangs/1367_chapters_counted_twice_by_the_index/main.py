import os

from press.setting import house

BOOKS = [["preface", "sea", "shore"], ["preface", "hills", "sea", "hills", "night"], ["epilogue"]]


def main():
    editor = house(BOOKS, ("garamond", "bodoni", "caslon"))
    editor.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    editor.join()


if __name__ == "__main__":
    main()
