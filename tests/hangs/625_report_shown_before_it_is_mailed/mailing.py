import os


def mail_report(address, picture):
    return "%s: %d bytes" % (address, os.path.getsize(picture))
