import ftplib
import io
import os
import signal
import ssl
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def upload_invoice(port, name, text):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    ftp = ftplib.FTP_TLS(context=context)
    ftp.connect("127.0.0.1", port)
    ftp.login("shop", "shop")
    ftp.prot_p()
    return ftp.storbinary(f"STOR {name}", io.BytesIO(text))


if __name__ == "__main__":
    port = start("ftps_server", "silent")
    print("MARK main pid=%d" % os.getpid())
    upload_invoice(port, "may.txt", b"tea 2.50")
