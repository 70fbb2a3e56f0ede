"""``hangtui completion``: prints the script for a shell, and answers what that script asks."""

import argparse
from importlib import resources

from hangtui.cli import output
from hangtui.cli.completing import completion, joined
from hangtui.model import UsageError

SCRIPTS = {"bash": "hangtui.bash", "zsh": "_hangtui", "fish": "hangtui.fish"}
ASK = "words"
"""How the scripts ask: ``hangtui completion SHELL words WORD...``, all that follow ``hangtui``."""


def run(args: argparse.Namespace) -> int:
    """Print."""
    if not args.asked:
        script = resources.files("hangtui.cli") / "shells" / SCRIPTS[args.shell]
        output.write(script.read_text(encoding="utf-8"))
        return 0
    ask, *words = args.asked
    if ask != ASK:
        raise UsageError("one shell at a time", f"hangtui completion {args.shell}")
    words, cut = joined(words) if args.shell == "bash" else (words, 0)
    output.write("".join(f"{line}\n" for line in completion(words).lines(cut)))
    return 0
