import json
import sys

quote = sys.argv[1] == "quote"
told = 0

for line in sys.stdin:
    message = json.loads(line)
    told += 1
    number = message["id"]
    if quote and told > 12:
        number = str(number)
    answer = {"jsonrpc": "2.0", "id": number, "result": {"name": message["params"]["name"]}}
    print(json.dumps(answer), flush=True)
