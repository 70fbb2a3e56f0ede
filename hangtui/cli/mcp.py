"""``hangtui mcp``: the same answers for programs that speak the Model Context Protocol."""

import argparse

from hangtui.cli import output
from hangtui.model import UsageError


def run(args: argparse.Namespace) -> int:
    """Serve whoever started us, over standard input and output, until they close them."""
    try:
        from hangtui.cli.mcp_server import server
    except ImportError as error:
        raise UsageError(
            f"this needs the package mcp ({error.name} is missing)", "pip install 'hangtui[mcp]'"
        ) from error
    stops = "may stop processes for milliseconds" if args.allow_stop else "stops no process"
    output.say(f"hangtui: speaking MCP on standard input and output; reads only, {stops}")
    server(allow_stop=args.allow_stop).run("stdio")
    return 0
