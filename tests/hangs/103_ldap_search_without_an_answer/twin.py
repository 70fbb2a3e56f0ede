import os
import signal
import sys

import ldap3

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def find_groups(directory, user):
    directory.search("dc=shop,dc=example", "(member=%s)" % user, attributes=["cn"])
    return directory.entries


def check_users(port, users):
    server = ldap3.Server("127.0.0.1", port=port, get_info=ldap3.NONE)
    with ldap3.Connection(server, "cn=shop", "secret", auto_bind=True) as directory:
        while True:
            for user in users:
                find_groups(directory, user)


if __name__ == "__main__":
    port = start("ldap_server", "slow")
    print("MARK main pid=%d" % os.getpid())
    check_users(port, ["ann", "bob"])
