import json

if __name__ == "__main__":
    print(json.dumps({"Version": 1, "AccessKeyId": "shop", "SecretAccessKey": "oats"}))
