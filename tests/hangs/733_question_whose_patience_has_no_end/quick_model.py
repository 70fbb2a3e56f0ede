import sys

question = sys.stdin.read()
print(question, "is fine")
