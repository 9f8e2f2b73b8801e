# SPDX-License-Identifier: MIT
"""What goes wrong because of a file or a choice."""


class Error(Exception):
    """A file, a choice or a device that cannot be used.

    `str()` of it is one line, "WHERE: WHAT — REMEDY", without the parts that are empty.
    """

    what: str
    """The problem, a clause."""
    where: str
    """File, JSON pointer or tensor; may be empty."""
    remedy: str
    """What can be done about it; may be empty."""
    kind: str
    """Stable and short: "bad-file", "usage", "io", "unknown", "memory-bound", …"""

    def __init__(self, what: str, where: str = "", remedy: str = "", kind: str = "usage") -> None:
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text} — {remedy}" if remedy else text)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.kind = kind

    def __reduce__(self):
        return (type(self), (self.what, self.where, self.remedy, self.kind))
