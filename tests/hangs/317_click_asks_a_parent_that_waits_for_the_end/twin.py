import os
import signal
import subprocess
import sys
import time

import click

signal.alarm(120)


@click.command()
@click.argument("table")
def migrate(table):
    if click.confirm(f"Drop {table}?"):
        time.sleep(0.2)
        click.echo("dropped")


def run_migration(table):
    command = [sys.executable, __file__, table]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        return process.communicate(b"y\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        migrate()
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_migration("orders")
