"""The one process that may stop another one: small, short-lived, and gone with its parent."""
