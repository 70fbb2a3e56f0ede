"""The errors that end a command, each with what a user can do about it.

HangtuiError
    TargetError      a target cannot be looked at
    InputError       a file cannot be read as what it claims to be
    UsageError       the command line asks for something that does not exist
"""


class HangtuiError(Exception):
    """Shown as one line on standard error; the command then exits with 2."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class TargetError(HangtuiError):
    """A target does not exist, is not ours, or went away."""


class InputError(HangtuiError):
    """A file is damaged, foreign, or from a newer version."""


class UsageError(HangtuiError):
    """Arguments that do not fit together."""
