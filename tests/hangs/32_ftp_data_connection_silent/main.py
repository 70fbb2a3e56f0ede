import ftplib
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def fetch_report(ftp, name):
    parts = []
    ftp.retrbinary("RETR " + name, parts.append)
    return b"".join(parts)


if __name__ == "__main__":
    ftp = ftplib.FTP()
    ftp.connect("127.0.0.1", start("ftp_server", "silent"))
    ftp.login()
    print("MARK main pid=%d" % os.getpid())
    fetch_report(ftp, "report.csv")
