// SPDX-License-Identifier: MIT
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
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
        for (const ReportContent& section : report_.sections) write(section);
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
        for (const ReportContent& section : report_.sections) {
            put("<a href=\"#{}\">{}</a>", section.name(), english(section.section->title));
        }
        put("</nav>\n</header>\n<main>\n");
    }

    void write(const ReportContent& section) {
        put("<section id=\"{}\">\n<h2>{}</h2>\n", section.name(), english(section.section->title));
        write(section.parts);
        put("</section>\n");
    }

    void write(const std::vector<Part>& parts) {
        bool any_folded = false;
        for (const Part& part : parts) {
            const auto* group = std::get_if<Group>(&part.what);
            if (group != nullptr && !has_content(*group)) continue;
            if (group != nullptr && group->folded && !std::exchange(any_folded, true))
                put("<p><button class=\"fold\" type=\"button\" aria-expanded=\"false\">Open "
                    "all</button></p>\n");
            std::visit([this](const auto& what) { show(what); }, part.what);
        }
    }

    void show(const Note& note) { put("<p>{}</p>\n", escape_html(note.text)); }
    void show(const Introduction& introduction) { put("<p>{}</p>\n", escape_html(introduction.text)); }

    void show(const Facts& shown) {
        if (!shown.tiles) return facts(shown.facts);
        put("<ul class=\"tiles\">\n");
        for (const Fact& fact : shown.facts)
            put("<li><span>{}</span><b>{}</b></li>\n", escape_html(fact.name), escape_html(fact.value));
        put("</ul>\n");
    }

    void show(const ShownTable& shown) {
        switch (shown.look) {
            case TableLook::plain:
                return table(shown.table);
            case TableLook::titled:
                return titled_table(shown.table);
            case TableLook::folded:
                return folded_table(shown.table, false);
            case TableLook::folded_if_long:
                return folded_table(shown.table, shown.table.total_rows <= kLongTable);
        }
    }

    void show(const Picture& picture) {
        const char* const frame = picture.fits                                 ? " fit"
                                  : report_.overview.boxes.size() > kLongTable ? " long"
                                                                               : "";
        put("<figure><div class=\"scroll{}\">{}</div><figcaption>{}</figcaption></figure>\n", frame,
            picture.draw(report_), escape_html(picture.caption));
    }

    void show(const Quote& quote) {
        put("<blockquote><b>{}</b>{}</blockquote>\n", multiline(quote.prompt), multiline(quote.text));
    }

    void show(const BackendKey& /*key*/) {
        put("<p class=\"key\">");
        for (std::size_t b = 0; b < report_.backends.size(); ++b) {
            put("<span class=\"c b{}\">{}</span>", b, escape_html(report_.backends[b].label));
        }
        put("</p>\n");
    }

    void show(const Group& group) {
        if (!group.folded) {
            put("<h3>{}</h3>\n", escape_html(group.title));
            return write(group.parts);
        }
        put("<details class=\"pass\"><summary>{} <span>· {}</span></summary>\n<p>{}</p>\n",
            escape_html(group.title), escape_html(group.figures), escape_html(group.text));
        write(group.parts);
        put("</details>\n");
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
        const std::string text = escape_html(report_.shown(value, kind));
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

    const Report& report_;
    std::string out_;
};

}  // namespace

std::string render_html(const Report& report) {
    return Page(report).write();
}

}  // namespace splitscope
