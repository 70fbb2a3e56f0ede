import os
import signal
import subprocess
import sys

import click

signal.alarm(120)


@click.command()
@click.argument("table")
def migrate(table):
    if click.confirm(f"Drop {table}?"):
        click.echo("dropped")


def run_migration(table):
    command = [sys.executable, __file__, table]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        return process.wait()


if __name__ == "__main__":
    if sys.argv[1:]:
        migrate()
    print("MARK main pid=%d" % os.getpid())
    run_migration("orders")
