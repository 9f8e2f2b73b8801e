// SPDX-License-Identifier: MIT
#include "engine/reports/text_table.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "engine/reports/escape.hpp"

namespace splitscope {
namespace {

/// Longer cells are wrapped, except in the last column.
constexpr std::size_t kWidest = 64;

std::size_t width_of(std::string_view text) {
    std::size_t characters = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++characters;
    }
    return characters;
}

void pad(std::string& line, std::string_view text, std::size_t width, bool right, bool last) {
    const std::size_t own = width_of(text);
    const std::size_t gap = own < width ? width - own : 0;
    if (right) line.append(gap, ' ');
    line += text;
    if (!right && !last) line.append(gap, ' ');
}

/// The lines of a cell: broken at blanks; longer words stay whole.
std::vector<std::string> wrapped(const std::string& text) {
    std::vector<std::string> lines = {std::string()};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        std::string& line = lines.back();
        if (!line.empty() && width_of(line) + 1 + width_of(word) > kWidest) {
            lines.push_back(word);
        } else {
            line += (at == 0 ? "" : " ") + word;
        }
        at = end + 1;
    }
    return lines;
}

}  // namespace

std::string text_table(const Table& table) {
    if (table.rows.empty()) return {};
    std::vector<std::size_t> widths;
    for (const Column& column : table.columns) widths.push_back(width_of(column.title));
    // Each cell as its lines.
    std::vector<std::vector<std::vector<std::string>>> texts;
    texts.reserve(table.rows.size());
    for (const auto& row : table.rows) {
        auto& cells = texts.emplace_back();
        for (std::size_t c = 0; c < row.size(); ++c) {
            std::string text = printable(format_cell(row[c], table.columns[c].kind));
            const bool fits = c + 1 == table.columns.size() || width_of(text) <= kWidest;
            cells.push_back(fits ? std::vector{std::move(text)} : wrapped(text));
            for (const std::string& line : cells.back()) widths[c] = std::max(widths[c], width_of(line));
        }
    }
    std::string out;
    const auto add_line = [&](auto&& text_at) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            if (c > 0) out += "  ";
            pad(out, text_at(c), widths[c], is_numeric(table.columns[c].kind), c + 1 == table.columns.size());
        }
        while (!out.empty() && out.back() == ' ') out.pop_back();
        out += '\n';
    };
    add_line([&](std::size_t c) { return std::string_view(table.columns[c].title); });
    for (const auto& cells : texts) {
        std::size_t height = 1;
        for (const auto& lines : cells) height = std::max(height, lines.size());
        for (std::size_t i = 0; i < height; ++i) {
            add_line([&](std::size_t c) {
                return i < cells[c].size() ? std::string_view(cells[c][i]) : std::string_view();
            });
        }
    }
    if (table.is_cut()) {
        out += fmt::format("… and {} more\n",
                           format_count(static_cast<std::int64_t>(table.total_rows - table.rows.size())));
    }
    return out;
}

std::string text_facts(const std::vector<Fact>& facts) {
    std::size_t widest = 0;
    for (const Fact& fact : facts) widest = std::max(widest, width_of(fact.name));
    std::string out;
    for (const Fact& fact : facts) {
        pad(out, fact.name, widest, false, false);
        out += "  " + printable(fact.value) + '\n';
    }
    return out;
}

}  // namespace splitscope
