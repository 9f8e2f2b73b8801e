// SPDX-License-Identifier: MIT
#include "engine/reports/table.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"

namespace splitscope {
namespace {

/// "12.4 G": three significant digits with an SI prefix.
std::string format_large(double value) {
    constexpr std::array prefixes = {"", " k", " M", " G", " T", " P", " E"};
    std::size_t i = 0;
    while (std::abs(value) >= 999.5 && i + 1 < prefixes.size()) {
        value /= 1000;
        ++i;
    }
    const double size = std::abs(value);
    const int decimals = i == 0 && value == std::floor(value) ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", value, decimals, prefixes[i]);
}

std::string format_integer(std::int64_t value, ColumnKind kind) {
    switch (kind) {
        case ColumnKind::bytes:
            return value < 0 ? fmt::format("{} B", value) : format_bytes(static_cast<std::uint64_t>(value));
        case ColumnKind::nanoseconds:
            return format_duration(value);
        case ColumnKind::share:
            return fmt::format("{:.1f} %", 100.0 * static_cast<double>(value));
        default:
            return format_count(value);
    }
}

}  // namespace

std::string_view name_of(ColumnKind kind) {
    switch (kind) {
        case ColumnKind::text:
            return "text";
        case ColumnKind::name:
            return "name";
        case ColumnKind::backend:
            return "backend";
        case ColumnKind::count:
            return "count";
        case ColumnKind::bytes:
            return "bytes";
        case ColumnKind::nanoseconds:
            return "nanoseconds";
        case ColumnKind::number:
            return "number";
        case ColumnKind::share:
            return "share";
    }
    return "text";
}

void Table::add(std::vector<Cell> row) {
    ++total_rows;
    if (rows.size() < max_rows) rows.push_back(std::move(row));
}

bool is_numeric(ColumnKind kind) {
    return kind != ColumnKind::text && kind != ColumnKind::name && kind != ColumnKind::backend;
}

const std::string* text_of(const Cell& cell) {
    const auto* found = std::get_if<CellText>(&cell);
    return found != nullptr ? &found->text : nullptr;
}

std::string format_cell(const Cell& cell, ColumnKind kind) {
    if (const auto* text = text_of(cell)) return text->empty() ? "–" : *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return format_integer(*integer, kind);
    if (const auto* number = std::get_if<double>(&cell)) {
        if (kind == ColumnKind::share) return fmt::format("{:.1f} %", 100.0 * *number);
        return format_large(*number);
    }
    return "–";
}

std::string plain_cell(const Cell& cell) {
    if (const auto* text = text_of(cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
    if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
    return {};
}

}  // namespace splitscope
