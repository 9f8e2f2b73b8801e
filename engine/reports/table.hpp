// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/messages/format_number.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {

/// The meaning of a column's values, which determines alignment, format and colour.
enum class ColumnKind : std::uint8_t {
    text,
    name,     ///< the name of a tensor, buffer or operation
    backend,  ///< the name of a backend; shown with its colour
    count,
    bytes,
    nanoseconds,
    number,
    share,  ///< 0 … 1, shown in percent
};

/// Lower-case name of a kind as in JSON reports.
std::string_view name_of(ColumnKind kind);

struct Column {
    std::string key;    ///< stable, for machines: JSON keys and CSV headers
    std::string title;  ///< for people
    ColumnKind kind = ColumnKind::text;
};

/// The text of a cell. A struct rather than a std::string, because libstdc++ 12 assumes that a variant of
/// std::string is never valueless; after a copy that failed for lack of memory it is, and is then destroyed
/// twice.
struct CellText {
    std::string text;
    CellText(std::string what) : text(std::move(what)) {}
    CellText(const char* what) : text(what) {}
    CellText(const Message& message) : text(english(message)) {}
};

/// Empty, text, an integer (count, bytes, nanoseconds) or a number.
using Cell = std::variant<std::monostate, CellText, std::int64_t, double>;

/// A table of a report. Rows beyond the limit are counted, not stored.
struct Table {
    std::string id;  ///< stable, e.g. "splits"
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t total_rows = 0;
    std::size_t max_rows = static_cast<std::size_t>(-1);

    bool wants_more() const { return rows.size() < max_rows; }
    /// Counts the row, and stores it if below the limit.
    void add(std::vector<Cell> row);
    /// Counts rows that were not created because of the limit.
    void skip(std::size_t count = 1) { total_rows += count; }
    bool is_cut() const { return total_rows > rows.size(); }
};

bool is_numeric(ColumnKind kind);

/// The cell's text, or null.
const std::string* text_of(const Cell& cell);

/// Human-readable value, e.g. "1.02 KiB", "12.4 ms", "48.0 %"; an en dash for an empty cell.
std::string format_cell(const Cell& cell, ColumnKind kind);
/// Machine-readable value: plain numbers, unchanged text, empty for an empty cell.
std::string plain_cell(const Cell& cell);

}  // namespace splitscope
