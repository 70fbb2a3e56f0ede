"""Files that torch's flight recorders write: which collective operations a rank has called."""

from hangtui.backends.flightrecorder.records import is_record, read_record

__all__ = ["is_record", "read_record"]
