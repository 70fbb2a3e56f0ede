import os
import signal
import threading

os.environ.update(SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
import pygame

signal.alarm(120)
LOADED = pygame.event.custom_type()
PICTURES = {"hero": (40, 60), "cave": (0, 64), "door": (20, 48), "moon": (32, "32")}


class Gallery:
    def __init__(self):
        self.pictures = {}

    def load(self):
        for name, size in PICTURES.items():
            self.pictures[name] = pygame.Surface(size)
        pygame.event.post(pygame.event.Event(LOADED))

    def wait_until_loaded(self):
        while pygame.event.wait().type != LOADED:
            pass


if __name__ == "__main__":
    pygame.init()
    screen = pygame.display.set_mode((320, 200))
    gallery = Gallery()
    threading.Thread(target=gallery.load, name="pictures", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    gallery.wait_until_loaded()
