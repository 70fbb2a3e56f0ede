import time
import sys

RULES = {"s": "plural"}
time.sleep(0.4)
for word in sys.modules["school.glossary"].WORDS:
    RULES[word] = "noun"
