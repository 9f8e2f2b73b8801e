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

void add_table(std::string& out, const Table& table) {
    if (table.rows.empty()) return;
    out += fmt::format("### {}\n\n|", escape_markdown(table.title));
    for (const Column& column : table.columns) out += fmt::format(" {} |", escape_markdown(column.title));
    out += "\n|";
    for (const Column& column : table.columns) out += is_numeric(column.kind) ? "---:|" : "---|";
    out += '\n';
    for (const auto& row : table.rows) {
        out += '|';
        for (std::size_t c = 0; c < row.size(); ++c) {
            out += fmt::format(" {} |", escape_markdown(format_cell(row[c], table.columns[c].kind)));
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

void add_run(std::string& out, const ReportRun& run) {
    add_facts(out, run.facts);
    out += fmt::format("> {}**{}**\n\n", escape_markdown(run.prompt), escape_markdown(run.text));
    for (const ReportExecution& execution : run.executions) {
        out += fmt::format("{}:\n\n", execution.title);
        add_table(out, execution.splits);
    }
}

void add_section(std::string& out, const Report& report, ReportSection section) {
    switch (section) {
        case ReportSection::summary:
            add_facts(out, report.summary);
            for (const Table& table : report.summary_tables) add_table(out, table);
            break;
        case ReportSection::findings:
            if (report.findings.rows.empty()) out += "No findings.\n\n";
            add_table(out, report.findings);
            break;
        case ReportSection::suggestions:
            if (report.suggestions.rows.empty()) out += "Nothing in these figures asks for a change.\n\n";
            add_table(out, report.suggestions);
            break;
        case ReportSection::machine:
            add_facts(out, report.machine);
            for (const Table& table : report.machine_tables) add_table(out, table);
            break;
        case ReportSection::passes:
            add_table(out, report.pass_table);
            for (const ReportPass& pass : report.passes) {
                add_table(out, pass.causes);
                add_table(out, pass.table);
            }
            add_table(out, report.nodes);
            break;
        case ReportSection::splits:
            add_table(out, report.splits);
            add_table(out, report.copies);
            break;
        case ReportSection::buffers:
            add_table(out, report.buffer_table);
            for (const ReportBuffer& buffer : report.buffers) add_table(out, buffer.peak);
            break;
        case ReportSection::run:
            add_run(out, *report.run);
            break;
        case ReportSection::comparison:
            add_facts(out, report.comparison->facts);
            add_table(out, report.comparison->figures);
            add_table(out, report.comparison->differences);
            break;
        case ReportSection::made_with:
            add_facts(out, report.made_with);
            break;
    }
}

}  // namespace

std::string render_markdown(const Report& report) {
    std::string out =
        fmt::format("# {}\n\n{}\n\n", escape_markdown(report.title), escape_markdown(report.headline));
    if (!report.error.empty()) out += fmt::format("**{}**\n\n", escape_markdown(report.error));
    for (const ReportSection section : report.sections) {
        out += fmt::format("## {}\n\n", english(title_of(section)));
        add_section(out, report, section);
    }
    return out;
}

}  // namespace splitscope
