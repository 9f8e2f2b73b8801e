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

/// How the values of a column are meant; renderers align, format and colour by it.
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

/// A struct of its own: libstdc++ 12 takes a variant of std::string for never empty, which one whose copy got
/// no memory is.
struct CellText {
    std::string text;
    CellText(std::string what) : text(std::move(what)) {}
    CellText(const char* what) : text(what) {}
    CellText(const Message& message) : text(english(message)) {}
};

/// Nothing, a text, a whole number (counts, bytes, nanoseconds) or a number.
using Cell = std::variant<std::monostate, CellText, std::int64_t, double>;

/// One table of a report. Rows beyond a cap are counted, not kept.
struct Table {
    std::string id;  ///< stable, e.g. "splits"
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t total_rows = 0;
    std::size_t max_rows = static_cast<std::size_t>(-1);

    bool wants_more() const { return rows.size() < max_rows; }
    /// Keeps the row if the cap allows it, and counts it.
    void add(std::vector<Cell> row);
    /// Counts rows that were not made because of the cap.
    void skip(std::size_t count = 1) { total_rows += count; }
    bool is_cut() const { return total_rows > rows.size(); }
};

bool is_numeric(ColumnKind kind);

/// The text of a cell that is one, or null.
const std::string* text_of(const Cell& cell);

/// The value for people, e.g. "1.02 KiB", "12.4 ms", "48.0 %"; an en dash for nothing.
std::string format_cell(const Cell& cell, ColumnKind kind);
/// The value for machines: plain numbers, the text as it is, empty for nothing.
std::string plain_cell(const Cell& cell);

}  // namespace splitscope
