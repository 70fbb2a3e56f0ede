"""Command lines and texts without the secrets that people put into them."""

from hangtui.backends.procfs.secrets.lines import mask, mask_word
from hangtui.backends.procfs.secrets.names import names_secret
from hangtui.backends.procfs.secrets.texts import MASK

__all__ = ["MASK", "mask", "mask_word", "names_secret"]
