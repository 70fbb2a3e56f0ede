"""What can be typed behind ``hangtui serve``."""

import argparse

TEXT = """\
Shows the screens in a browser on this machine. It listens on 127.0.0.1 only, and answers only who
has the token that it prints; from elsewhere a port is forwarded to it.
"""

EXAMPLES = """\
examples:
  hangtui serve 4711
  kubectl port-forward POD 8042         ... and then open the address in the browser here
  hangtui serve stuck.hang --port 0
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("targets", metavar="PID|FILE", nargs="*", help="default: all Python")
    parser.add_argument("--port", type=int, default=8042, help="0: any free one (default: 8042)")
    parser.add_argument(
        "--children", action="store_true", help="also all processes that they started"
    )
