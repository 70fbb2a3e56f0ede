"""Enough of FTP over TLS for one upload; "silent" never says goodbye on the data connection."""

import datetime as dt
import socket
import socketserver
import ssl
import sys
import tempfile
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def own_certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now).not_valid_after(now + dt.timedelta(1))
    return builder.sign(key, hashes.SHA256()), key


def tls_context():
    certificate, key = own_certificate()
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    with tempfile.NamedTemporaryFile() as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, form, plain))
        file.write(certificate.public_bytes(serialization.Encoding.PEM))
        file.flush()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file.name)
    return context


def receive(listener):
    with context.wrap_socket(listener.accept()[0], server_side=True) as data:
        while data.recv(4096):
            while sys.argv[1] == "silent":
                time.sleep(60)
            time.sleep(0.05)
        data.unwrap()


class Handler(socketserver.BaseRequestHandler):
    def say(self, text):
        self.request.sendall(text.encode() + b"\r\n")

    def handle(self):
        self.say("220 ready")
        reader = self.request.makefile("rb")
        while line := reader.readline():
            verb = line.split()[0].upper()
            if verb == b"AUTH":
                self.say("234 go on")
                self.request = context.wrap_socket(self.request, server_side=True)
                reader = self.request.makefile("rb")
            elif verb == b"PASV":
                data = socket.create_server(("127.0.0.1", 0))
                port = data.getsockname()[1]
                self.say(f"227 (127,0,0,1,{port // 256},{port % 256})")
            elif verb == b"STOR":
                self.say("150 send it")
                receive(data)
                self.say("226 done")
            else:
                self.say("230 welcome" if verb == b"USER" else "200 well")


context = tls_context()
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
