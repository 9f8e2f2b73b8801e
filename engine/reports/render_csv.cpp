// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/messages.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/nearest_name.hpp"

namespace splitscope {
namespace {

void add_csv_table(std::string& out, const Table& table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (c > 0) out += ',';
        out += escape_csv(table.columns[c].key);
    }
    out += "\r\n";
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c > 0) out += ',';
            const auto* text = text_of(row[c]);
            out += text != nullptr ? escape_csv(*text) : plain_cell(row[c]);
        }
        out += "\r\n";
    }
}

}  // namespace

std::string render_csv(const Report& report, std::string_view only) {
    std::string out;
    std::vector<std::string> known;
    for (const Table* table : tables_of(report)) {
        if (!only.empty()) {
            if (table->id == only) {
                add_csv_table(out, *table);
                return out;
            }
            known.push_back(table->id);
            continue;
        }
        out += "# " + table->id + "\r\n";
        add_csv_table(out, *table);
        out += "\r\n";
    }
    if (!only.empty()) {
        const std::string similar = nearest_name(known, only);
        throw Error(ErrorKind::usage, msg::kNoSuchTable(only), "--table",
                    similar.empty() ? msg::kChooseTable(fmt::to_string(fmt::join(known, ", ")))
                                    : msg::kDidYouMean(similar));
    }
    return out;
}

}  // namespace splitscope
