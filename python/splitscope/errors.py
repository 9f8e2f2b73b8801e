# SPDX-License-Identifier: MIT
"""Errors caused by a file or an argument."""


class Error(Exception):
    """A file, an argument or a device cannot be used.

    `str()` is one line, "PLACE: PROBLEM — REMEDY", without empty parts.
    """

    what: str
    """The problem, as a clause."""
    where: str
    """File, JSON pointer or tensor; may be empty."""
    remedy: str
    """The remedy; may be empty."""
    kind: str
    """Stable identifier: "bad-file", "usage", "io", "unknown", "memory-bound", …"""

    def __init__(self, what: str, where: str = "", remedy: str = "", kind: str = "usage") -> None:
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text} — {remedy}" if remedy else text)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.kind = kind

    def __reduce__(self):
        return (type(self), (self.what, self.where, self.remedy, self.kind))
