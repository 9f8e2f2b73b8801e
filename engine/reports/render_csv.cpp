// SPDX-License-Identifier: MIT
#include <string>

#include "engine/reports/escape.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/render.hpp"
#include "engine/support/error.hpp"

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
    std::string known;
    for (const Table* table : tables_of(report)) {
        if (!only.empty()) {
            if (table->id == only) {
                add_csv_table(out, *table);
                return out;
            }
            known += (known.empty() ? "" : ", ") + table->id;
            continue;
        }
        out += "# " + table->id + "\r\n";
        add_csv_table(out, *table);
        out += "\r\n";
    }
    if (!only.empty()) {
        throw Error(ErrorKind::usage, msg::kNoSuchTable(only), "--table", msg::kChooseTable(known));
    }
    return out;
}

}  // namespace splitscope
