import asyncio
import datetime as dt
import tempfile
from pathlib import Path

from aioquic.asyncio import connect
from aioquic.quic.configuration import QuicConfiguration
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HOURS = 3600.0


def papers():
    """A key and a certificate, for this run."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.timezone.utc)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    made = made.public_key(key.public_key()).serial_number(x509.random_serial_number())
    made = made.not_valid_before(now).not_valid_after(now + dt.timedelta(days=2))
    certificate = made.sign(key, hashes.SHA256())
    place = Path(tempfile.mkdtemp(prefix="isle"))
    pem = serialization.Encoding.PEM
    (place / "cert.pem").write_bytes(certificate.public_bytes(pem))
    plain = serialization.NoEncryption()
    written = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    (place / "key.pem").write_bytes(written)
    return place


class Isle:
    """The far end of the line, and what we keep of it."""

    def __init__(self, port, ends):
        self.port = port
        self.ends = ends
        self.news = []
        self.beats = 0

    async def ask(self, line, question):
        reader, writer = await line.create_stream()
        writer.write(question.encode() + b"\n")
        if self.ends:
            writer.write_eof()
        return (await reader.read()).decode()

    async def keep_alive(self, line):
        while True:
            await asyncio.sleep(1)
            await line.ping()
            self.beats += 1

    async def follow(self):
        settings = QuicConfiguration(alpn_protocols=["isle"], idle_timeout=HOURS)
        settings.verify_mode = 0
        async with connect("127.0.0.1", self.port, configuration=settings) as line:
            beat = asyncio.create_task(self.keep_alive(line), name="beat")
            number = 0
            while True:
                self.news.append(await self.ask(line, "page %d" % number))
                number += 1
                await asyncio.sleep(0.5)
                beat.get_name()
