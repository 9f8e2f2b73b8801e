// SPDX-License-Identifier: MIT
#include <iterator>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/html_style.hpp"
#include "engine/reports/render.hpp"

namespace splitscope {
namespace {

/// Tables with more rows scroll within their frame and have a filter.
constexpr std::size_t kLongTable = 24;

/// Builds the page piece by piece.
class Page {
 public:
    explicit Page(const Report& report) : report_(report) {}

    std::string write() {
        head();
        for (const ReportSection section : report_.sections) write(section);
        put("</main>\n<footer>Made by Splitscope. This page loads nothing from "
            "anywhere.</footer>\n<script>{}</script>\n"
            "</body>\n</html>\n",
            html_script());
        return std::move(out_);
    }

 private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    void head() {
        const std::string title = escape_html(report_.title);
        put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; "
            "script-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
            "<title>{} – Splitscope report</title>\n<style>{}",
            title, html_style());
        for (std::size_t b = 0; b < report_.backends.size(); ++b)
            put(".b{}::before{{background:{}}}\n", b, report_.backends[b].colour);
        put("</style>\n</head>\n<body>\n<header>\n<p class=\"kind\">Scheduling report</p>\n<h1>{}</h1>\n"
            "<p class=\"headline\">{}</p>\n",
            title, escape_html(report_.headline));
        if (!report_.error.empty())
            put("<p class=\"error\" role=\"alert\">{}</p>\n", escape_html(report_.error));
        put("<nav aria-label=\"Sections\">");
        for (const ReportSection section : report_.sections) {
            put("<a href=\"#{}\">{}</a>", name_of(section), english(title_of(section)));
        }
        put("</nav>\n</header>\n<main>\n");
    }

    void write(ReportSection section) {
        put("<section id=\"{}\">\n<h2>{}</h2>\n", name_of(section), english(title_of(section)));
        content(section);
        put("</section>\n");
    }

    void content(ReportSection section) {
        switch (section) {
            case ReportSection::summary:
                return summary();
            case ReportSection::findings:
                return findings();
            case ReportSection::suggestions:
                return suggestions();
            case ReportSection::machine:
                return machine();
            case ReportSection::passes:
                return passes();
            case ReportSection::splits:
                return splits();
            case ReportSection::buffers:
                return buffers();
            case ReportSection::run:
                return run(*report_.run);
            case ReportSection::comparison:
                return comparison(*report_.comparison);
            case ReportSection::made_with:
                return facts(report_.made_with);
        }
    }

    void facts(const std::vector<Fact>& facts) {
        put("<dl class=\"facts\">\n");
        for (const Fact& fact : facts) {
            put("<dt>{}</dt><dd>{}</dd>\n", escape_html(fact.name),
                escape_html(fact.value.empty() ? "–" : fact.value));
        }
        put("</dl>\n");
    }

    void cell(const Cell& value, ColumnKind kind) {
        const std::string text = escape_html(format_cell(value, kind));
        if (is_numeric(kind)) {
            const bool number = text_of(value) == nullptr;
            put("<td class=\"n\" data-v=\"{}\">{}</td>", number ? plain_cell(value) : "", text);
        } else if (kind == ColumnKind::backend) {
            const std::size_t b = backend_index(value);
            if (b < report_.backends.size())
                put("<td class=\"b c b{}\">{}</td>", b, text);
            else
                put("<td class=\"b\">{}</td>", text);
        } else {
            put("<td class=\"{}\">{}</td>",
                kind == ColumnKind::name ? "m"
                : text.size() > 60       ? "e"
                                         : "",
                text);
        }
    }

    std::size_t backend_index(const Cell& value) const {
        const auto* name = text_of(value);
        std::size_t b = 0;
        while (b < report_.backends.size() && (name == nullptr || report_.backends[b].name != *name)) ++b;
        return b;
    }

    void table(const Table& table) {
        if (table.rows.empty()) return;
        const bool is_long = table.rows.size() > kLongTable;
        if (is_long) {
            put("<input class=\"filter\" type=\"search\" data-for=\"t-{0}\" placeholder=\"Filter these "
                "rows\" "
                "aria-label=\"Filter {1}\">\n",
                table.id, escape_html(table.title));
        }
        put("<div class=\"scroll{}\"><table class=\"sortable\" id=\"t-{}\"><thead><tr>",
            is_long ? " long" : "", table.id);
        for (const Column& column : table.columns) {
            put("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                is_numeric(column.kind) ? " class=\"n\"" : "", escape_html(column.title));
        }
        put("</tr></thead><tbody>\n");
        for (const auto& row : table.rows) {
            put("<tr>");
            for (std::size_t c = 0; c < row.size(); ++c) cell(row[c], table.columns[c].kind);
            put("</tr>\n");
        }
        put("</tbody></table></div>\n");
        if (table.is_cut()) {
            put("<p class=\"note\">The first {} of {} rows; the JSON and CSV reports have all of them.</p>\n",
                format_count(static_cast<std::int64_t>(table.rows.size())),
                format_count(static_cast<std::int64_t>(table.total_rows)));
        }
    }

    void titled_table(const Table& shown) {
        if (shown.rows.empty()) return;
        put("<h3>{}</h3>\n", escape_html(shown.title));
        table(shown);
    }

    void folded_table(const Table& folded, bool open) {
        if (folded.rows.empty()) return;
        put("<details{}><summary>{} <span>({})</span></summary>\n", open ? " open" : "",
            escape_html(folded.title), format_count(static_cast<std::int64_t>(folded.total_rows)));
        table(folded);
        put("</details>\n");
    }

    void key() {
        put("<p class=\"key\">");
        for (std::size_t b = 0; b < report_.backends.size(); ++b) {
            put("<span class=\"c b{}\">{}</span>", b, escape_html(report_.backends[b].name));
        }
        put("</p>\n");
    }

    void figure(const std::string& picture, const std::string& caption, bool fit) {
        put("<figure><div class=\"scroll{}\">{}</div><figcaption>{}</figcaption></figure>\n",
            fit ? " fit" : "", picture, escape_html(caption));
    }

    void summary() {
        put("<ul class=\"tiles\">\n");
        for (const Fact& fact : report_.summary) {
            put("<li><span>{}</span><b>{}</b></li>\n", escape_html(fact.name), escape_html(fact.value));
        }
        put("</ul>\n");
        for (const Table& shown : report_.summary_tables) {
            titled_table(shown);
            if (shown.id == "device-memory")
                figure(
                    figures::device_memory(report_),
                    "Each bar is one device's memory, the red line its end; from the left weights, caches, "
                    "compute buffer and results. The compute buffer is the larger of the prompt's and the "
                    "one-token graph's.",
                    true);
        }
    }

    void machine() {
        facts(report_.machine);
        for (const Table& shown : report_.machine_tables) titled_table(shown);
    }

    void passes() {
        put("<p>Every decision in the order it was taken, with the cause the scheduler notes and the facts "
            "it rests on. "
            "A decision can leave a tensor without a backend; a later one replaces it.</p>\n");
        put("<p><button class=\"fold\" type=\"button\" aria-expanded=\"false\">Open all</button></p>\n");
        for (const ReportPass& pass : report_.passes) {
            if (pass.pass == Pass::user && pass.decisions == 0) continue;
            const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
            put("<details class=\"pass\"><summary>{} <span>· {} decision{}, {} changed a "
                "backend</span></summary>\n"
                "<p>{}</p>\n",
                escape_html(pass.title), count(pass.decisions), pass.decisions == 1 ? "" : "s",
                count(pass.changes), escape_html(pass.purpose));
            table(pass.causes);
            table(pass.table);
            put("</details>\n");
        }
        folded_table(report_.nodes, false);
    }

    void splits() {
        key();
        constexpr std::size_t drawn = 80;
        std::string caption =
            "Splits run from top to bottom; an arrow is what is copied before a split runs; dashed: inputs "
            "and weights, which no split makes.";
        if (report_.splits.total_rows > drawn) {
            caption += fmt::format(" The first {} of {} splits.", drawn, report_.splits.total_rows);
        }
        put("<figure><div class=\"scroll{}\">{}</div><figcaption>{}</figcaption></figure>\n",
            report_.overview.boxes.size() > kLongTable ? " long" : "",
            figures::split_overview(report_, drawn), caption);
        titled_table(report_.splits);
        folded_table(report_.copies, report_.copies.total_rows <= kLongTable);
    }

    void buffers() {
        put("<p>What the graph allocator plans for each compute buffer. The strip below each plot is the "
            "backend of the "
            "node that is being placed.</p>\n");
        key();
        table(report_.buffer_table);
        for (const ReportBuffer& buffer : report_.buffers) {
            if (buffer.timeline.steps.empty()) continue;
            put("<h3>{}</h3>\n", escape_html(buffer.title));
            figure(figures::buffer_usage(report_, buffer),
                   "Bytes in use over the node index; the dashed line is the highest end of a tensor in use.",
                   true);
            std::string caption =
                "Where each tensor lies (offset over node index); dark ones took over a source in place.";
            constexpr std::size_t drawn = 1200;
            if (buffer.timeline.blocks.size() > drawn) {
                caption += fmt::format(" The {} largest of {} places.", drawn, buffer.timeline.blocks.size());
            }
            figure(figures::memory_map(report_, buffer, drawn), caption, true);
            folded_table(buffer.peak, false);
        }
    }

    void run(const ReportRun& run) {
        facts(run.facts);
        put("<blockquote><b>{}</b>{}</blockquote>\n", multiline(run.prompt), multiline(run.text));
        for (const ReportExecution& execution : run.executions) {
            put("<h3>{}</h3>\n", escape_html(execution.title));
            figure(figures::execution_timeline(report_, execution),
                   "Computing in the backend's colour, copies in red, waiting in grey.", true);
            table(execution.splits);
        }
    }

    /// Escapes each line and keeps line ends.
    static std::string multiline(std::string_view text) {
        std::string out;
        while (true) {
            const auto end_of_line = text.find('\n');
            out += escape_html(text.substr(0, end_of_line));
            if (end_of_line == std::string_view::npos) return out;
            out += '\n';
            text.remove_prefix(end_of_line + 1);
        }
    }

    void findings() {
        if (report_.findings.rows.empty()) {
            put("<p>No findings.</p>\n");
            return;
        }
        put("<p>What would abort, give wrong results or crawl, with cause and remedy; <code>splitscope "
            "lint</code> tells the same.</p>\n");
        table(report_.findings);
    }

    void suggestions() {
        if (report_.suggestions.rows.empty()) {
            put("<p>Nothing in these figures asks for a change.</p>\n");
            return;
        }
        table(report_.suggestions);
    }

    void comparison(const ReportComparison& comparison) {
        facts(comparison.facts);
        table(comparison.figures);
        folded_table(comparison.differences, comparison.differences.total_rows <= kLongTable);
    }

    const Report& report_;
    std::string out_;
};

}  // namespace

std::string render_html(const Report& report) {
    return Page(report).write();
}

}  // namespace splitscope
