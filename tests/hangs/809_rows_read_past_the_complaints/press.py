import sys

for number in range(6000):
    print("row %d has no weight, 0 taken" % number, file=sys.stderr)
print("row,weight")
for number in range(6000):
    print("%d,0" % number)
