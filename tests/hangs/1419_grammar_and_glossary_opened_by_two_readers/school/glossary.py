import sys
import time

time.sleep(0.4)
WORDS = {"tree", "house"}
for letter in sys.modules["school.grammar"].RULES:
    WORDS.add(letter)
