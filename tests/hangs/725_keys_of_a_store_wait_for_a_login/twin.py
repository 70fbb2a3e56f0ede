import os
import signal
import sys
import tempfile
import time

import boto3

signal.alarm(120)
HERE = os.path.dirname(os.path.abspath(__file__))


def write_profile(folder):
    path = os.path.join(folder, "config")
    with open(path, "w") as profile:
        profile.write("[profile nightly]\nregion = eu-central-1\n")
        profile.write("credential_process = %s %s/quick_keys.py\n" % (sys.executable, HERE))
    os.environ["AWS_CONFIG_FILE"] = path
    os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull


def sign_links(names):
    store = boto3.Session(profile_name="nightly").client("s3")
    for name in names:
        yield store.generate_presigned_url("get_object", Params={"Bucket": "backups", "Key": name})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_profile(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            print(*sign_links(["monday", "tuesday"]))
            time.sleep(0.05)
