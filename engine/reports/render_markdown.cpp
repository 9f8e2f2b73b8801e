// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/render.hpp"

namespace splitscope {
namespace {

void add_facts(std::string& out, const std::vector<Fact>& facts) {
    out += "| | |\n|---|---|\n";
    for (const Fact& fact : facts) {
        out += fmt::format("| {} | {} |\n", escape_markdown(fact.name), escape_markdown(fact.value));
    }
    out += '\n';
}

void add_table(std::string& out, const Report& report, const Table& table) {
    if (table.rows.empty()) return;
    out += fmt::format("### {}\n\n|", escape_markdown(table.title));
    for (const Column& column : table.columns) out += fmt::format(" {} |", escape_markdown(column.title));
    out += "\n|";
    for (const Column& column : table.columns) out += is_numeric(column.kind) ? "---:|" : "---|";
    out += '\n';
    for (const auto& row : table.rows) {
        out += '|';
        for (std::size_t c = 0; c < row.size(); ++c) {
            out += fmt::format(" {} |", escape_markdown(report.shown(row[c], table.columns[c].kind)));
        }
        out += '\n';
    }
    out += '\n';
    if (table.is_cut()) {
        out += fmt::format("The first {} of {} rows; the JSON and CSV reports have all of them.\n\n",
                           format_count(static_cast<std::int64_t>(table.rows.size())),
                           format_count(static_cast<std::int64_t>(table.total_rows)));
    }
}

void add_parts(std::string& out, const Report& report, const std::vector<Part>& parts) {
    const PartVisitor add = {
        [&](const Note& note) { out += escape_markdown(note.text) + "\n\n"; },
        [&](const Facts& facts) { add_facts(out, facts.facts); },
        [&](const ShownTable& shown) { add_table(out, report, shown.table); },
        [&](const Quote& quote) {
            out += fmt::format("> {}**{}**\n\n", escape_markdown(quote.prompt), escape_markdown(quote.text));
        },
        [&](const Group& group) {
            if (!has_content(group)) return;
            if (!group.folded) out += fmt::format("{}:\n\n", escape_markdown(group.title));
            add_parts(out, report, group.parts);
        },
        [](const Introduction&) {},
        [](const Picture&) {},
        [](const BackendKey&) {},
    };
    for (const Part& part : parts) std::visit(add, part.what);
}

}  // namespace

std::string render_markdown(const Report& report) {
    std::string out =
        fmt::format("# {}\n\n{}\n\n", escape_markdown(report.title), escape_markdown(report.headline));
    if (!report.error.empty()) out += fmt::format("**{}**\n\n", escape_markdown(report.error));
    for (const ReportContent& section : report.sections) {
        out += fmt::format("## {}\n\n", english(section.section->title));
        add_parts(out, report, section.parts);
    }
    return out;
}

}  // namespace splitscope
