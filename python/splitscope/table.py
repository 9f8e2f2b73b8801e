# SPDX-License-Identifier: MIT
"""Tables of NumPy columns, and pictures, for notebooks."""

from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

_ROWS_SHOWN = 20


def format_bytes(count: float) -> str:
    """1234567 → "1.18 MiB"."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(size) < 1024 or unit == "TiB":
            return f"{int(size)} B" if unit == "B" else f"{size:.3g} {unit}"
        size /= 1024
    raise AssertionError("unreachable")


def _format_cell(value: Any, unit: str) -> str:
    if unit == "bytes" and np.ndim(value) == 0:
        return "" if value < 0 else format_bytes(value)
    if isinstance(value, np.ndarray):
        return " × ".join(str(part) for part in value)
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    return str(value)


class Table:
    """Columns of equal length, each a NumPy array.

    `table["name"]` is a column, `table[3]` a row as a dict, `table[mask]` and `table[2:5]` are tables of those rows.
    `len(table)` is the number of rows; iteration yields rows as dicts. Missing names are "", missing indices -1.
    `table.units` maps columns to their units.
    """

    def __init__(self, title: str, columns: Mapping[str, np.ndarray], units: Optional[Mapping[str, str]] = None):
        self.title = title
        self._columns: Dict[str, np.ndarray] = dict(columns)
        self.units: Dict[str, str] = dict(units or {})
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError("columns differ in length")
        self._rows = lengths.pop() if lengths else 0

    @classmethod
    def _of(cls, title: str, made: Tuple[Dict[str, np.ndarray], Dict[str, str]]) -> "Table":
        return cls(title, *made)

    @property
    def columns(self) -> List[str]:
        """Names of the columns, in order."""
        return list(self._columns)

    def keys(self) -> List[str]:
        """As `columns`, so that `dict(table)` maps names to columns."""
        return self.columns

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (self._row(i) for i in range(self._rows))

    def _row(self, index: int) -> Dict[str, Any]:
        return {
            name: column[index] if column.ndim > 1 else column[index].item()
            for name, column in self._columns.items()
        }

    def __getitem__(self, key: Union[str, int, slice, np.ndarray, List[int]]) -> Any:
        if isinstance(key, str):
            return self._columns[key]
        if isinstance(key, (int, np.integer)):
            if not -self._rows <= key < self._rows:
                raise IndexError(f"row {key} of {self._rows}")
            return self._row(int(key) % self._rows)
        return Table(self.title, {name: column[key] for name, column in self._columns.items()}, self.units)

    def where(self, **equal: Any) -> "Table":
        """The rows whose columns have these values: `nodes.where(backend="CPU", op="MUL_MAT")`."""
        chosen = np.ones(self._rows, dtype=bool)
        for name, value in equal.items():
            chosen &= self._columns[name] == value
        return self[chosen]

    def to_numpy(self) -> np.ndarray:
        """One structured array, a record per row; columns of shapes become fields of four numbers."""
        fields = [(name, column.dtype, column.shape[1:]) for name, column in self._columns.items()]
        records = np.empty(self._rows, dtype=fields)
        for name, column in self._columns.items():
            records[name] = column
        return records

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        records = self.to_numpy()
        return records if dtype is None else records.astype(dtype)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame (requires pandas); shapes become tuples."""
        import pandas

        return pandas.DataFrame(
            {name: column if column.ndim == 1 else list(map(tuple, column)) for name, column in self._columns.items()}
        )

    def _texts(self, rows: int) -> List[List[str]]:
        return [
            [_format_cell(column[i], self.units.get(name, "")) for name, column in self._columns.items()]
            for i in range(min(rows, self._rows))
        ]

    def _header(self, name: str) -> str:
        unit = self.units.get(name, "")
        return name if unit in ("", "bytes", "elements") else f"{name} [{unit}]"

    def __repr__(self) -> str:
        rows = [[self._header(name) for name in self._columns]] + self._texts(_ROWS_SHOWN)
        widths = [max(len(row[c]) for row in rows) for c in range(len(self._columns))]
        numeric = [column.dtype.kind in "iuf" and column.ndim == 1 for column in self._columns.values()]
        lines = [
            "  ".join(t.rjust(w) if n else t.ljust(w) for t, w, n in zip(row, widths, numeric)).rstrip() for row in rows
        ]
        if self._rows > _ROWS_SHOWN:
            lines.append(f"… {self._rows - _ROWS_SHOWN} more rows")
        return f"{self.title} ({self._rows} rows)\n" + "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(self._header(name))}</th>" for name in self._columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>" for row in self._texts(_ROWS_SHOWN)
        )
        rest = self._rows - _ROWS_SHOWN
        more = f"<p>… {rest} more rows</p>" if rest > 0 else ""
        title = f"<caption>{html.escape(self.title)}: {self._rows} rows</caption>"
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


# Style of figures outside of a report's page, on white.
_FIGURE_STYLE = (
    "<style>.splitscope{background:#fff}"
    '.splitscope text{fill:#1d2126;font:13px "Helvetica Neue",Arial,"DejaVu Sans",sans-serif}'
    ".splitscope .tick{fill:#5c6570;font-size:12px}.splitscope .boxtitle{font-weight:600}"
    ".splitscope .lane{font-weight:700;font-size:15px}.splitscope .bed{fill:#fff}"
    ".splitscope .grid{stroke:#e2e3de;fill:none}.splitscope .line{fill:none;stroke-width:1.6}"
    ".splitscope .extent{fill:none;stroke:#5c6570;stroke-dasharray:3 3}"
    ".splitscope .peak{fill:#b3261e;stroke:#fff;stroke-width:1.5}"
    ".splitscope .mark{font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
    ".splitscope .copy{fill:none;stroke:#b3261e;stroke-width:1.6}.splitscope .head{fill:#b3261e}"
    ".splitscope .copylabel{fill:#b3261e;font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".splitscope .blocks rect{stroke-width:.3;stroke-opacity:.8}"
    ".splitscope .s0{fill-opacity:.16}.splitscope .s1{fill-opacity:.28}.splitscope .s2{fill-opacity:.4}"
    ".splitscope .s3{fill-opacity:.52}.splitscope .s4{fill-opacity:.75}.splitscope .lanebed{fill:#f3f4f0}"
    ".splitscope .compute{fill-opacity:.75}.splitscope .copying{fill:#b3261e}"
    ".splitscope .wait{fill:#5c6570;fill-opacity:.45}</style>"
)


class Drawing:
    """A picture, displayed by notebooks."""

    def __init__(self, svg: str):
        self.svg = svg
        """The picture as SVG."""

    @classmethod
    def _of_figure(cls, svg: str) -> "Drawing":
        """A figure of a report, without its style."""
        root, end, rest = svg.partition(">")
        return cls(root.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" class="splitscope" ') + end + _FIGURE_STYLE + rest)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<splitscope.Drawing, {len(self.svg)} characters of SVG; save() writes it>"

    def save(self, path: Any) -> None:
        """Writes the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)
