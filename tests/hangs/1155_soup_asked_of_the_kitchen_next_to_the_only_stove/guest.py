import sys
from urllib.request import urlopen


def taste(port):
    with urlopen("http://127.0.0.1:%d/soup" % port) as answer:
        return answer.read().decode()


print(taste(int(sys.argv[1])))
