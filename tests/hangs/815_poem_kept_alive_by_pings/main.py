import os
import signal

import anthropic

from poet import wake_poet

signal.alarm(120)


def write_poem(client):
    with client.messages.stream(
        model="poet",
        max_tokens=100,
        messages=[{"role": "user", "content": "A poem about roses"}],
    ) as stream:
        return "".join(stream.text_stream)


def main():
    server = wake_poet(pings=10**9)
    client = anthropic.Anthropic(
        api_key="none", base_url=f"http://127.0.0.1:{server.server_port}", timeout=5
    )
    write_poem(client)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
