import queue
import time


class Press:
    def __init__(self, pause):
        self.pages = queue.Queue(maxsize=20)
        self.printed = []
        self.pause = pause

    def roll(self):
        while True:
            page = self.pages.get()
            if page is None:
                break
            time.sleep(self.pause)
            self.printed.append(page.upper())
        return len(self.printed)


class Reporter:
    def __init__(self, press, stories):
        self.press = press
        self.stories = stories

    def draft(self, story):
        words = story.split()
        return "%s (%d words)" % (story, int(words[-1]))
