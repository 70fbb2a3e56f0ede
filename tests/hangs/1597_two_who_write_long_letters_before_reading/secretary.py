import json
import sys


def main(chatter):
    remarks = 0
    for line in sys.stdin:
        page = json.loads(line)
        for word in page["words"]:
            remarks += 1
            sys.stdout.write(json.dumps({"remark": remarks, "on": word[:8], "text": "x" * chatter}))
            sys.stdout.write("\n")
        sys.stdout.write(json.dumps({"done": page["number"]}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
