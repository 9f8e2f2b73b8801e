// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "engine/reports/escape.hpp"
#include "engine/reports/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<Fact>& facts) {
    Json out = Json::object();
    for (const Fact& fact : facts) out[fact.name] = fact.value;
    return out;
}

Json json_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return nullptr;
}

Json json_of(const Table& table) {
    Json out;
    out["id"] = table.id;
    out["title"] = table.title;
    Json columns = Json::array();
    for (const Column& column : table.columns) {
        columns.push_back(
            {{"key", column.key}, {"title", column.title}, {"kind", std::string(name_of(column.kind))}});
    }
    out["columns"] = std::move(columns);
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const Cell& cell : row) cells.push_back(json_of(cell));
        rows.push_back(std::move(cells));
    }
    out["rows"] = std::move(rows);
    return out;
}

Json json_of(const Report& report, const ReportRun& run) {
    Json out;
    out["facts"] = json_of(run.facts);
    out["prompt"] = run.prompt;
    out["text"] = run.text;
    Json executions = Json::array();
    for (const ReportExecution& execution : run.executions) {
        Json events = Json::array();
        for (const ExecutionEvent& event : execution.execution->events) {
            Json one;
            const bool copy =
                event.kind == ExecutionEventKind::copy || event.kind == ExecutionEventKind::expert_copy;
            one["kind"] = copy ? "copy" : event.kind == ExecutionEventKind::wait ? "wait" : "compute";
            one["split"] = event.split.value;
            one["backend"] =
                event.backend.valid() ? Json(report.backends[event.backend.index()].name) : Json();
            if (copy) {
                one["tensor"] =
                    event.tensor.valid() ? Json(execution.schedule->tensor(event.tensor).name) : Json();
                one["bytes"] = event.bytes;
            }
            one["start_ns"] = event.start.count();
            one["end_ns"] = event.end.count();
            events.push_back(std::move(one));
        }
        executions.push_back({{"title", execution.title},
                              {"duration_ns", execution.execution->duration.count()},
                              {"events", std::move(events)}});
    }
    out["executions"] = std::move(executions);
    return out;
}

std::string text_of(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string render_json(const Report& report) {
    Json out;
    out["format"] = "splitscope-report";
    out["version"] = 1;
    out["title"] = report.title;
    out["headline"] = report.headline;
    out["error"] = report.error.empty() ? Json() : Json(report.error);
    const std::vector<Fact> left_out;
    const auto facts = [&](ReportSection section, const std::vector<Fact>& all) {
        return json_of(report.has(section) ? all : left_out);
    };
    Json sections = Json::array();
    for (const ReportSection section : report.sections) sections.push_back(std::string(name_of(section)));
    out["sections"] = std::move(sections);
    out["made_with"] = facts(ReportSection::made_with, report.made_with);
    out["summary"] = facts(ReportSection::summary, report.summary);
    out["machine"] = facts(ReportSection::machine, report.machine);
    out["comparison"] = report.has(ReportSection::comparison) ? json_of(report.comparison->facts) : Json();
    Json backends = Json::array();
    for (const ReportBackend& backend : report.backends) {
        backends.push_back({{"name", backend.name}, {"colour", backend.colour}});
    }
    out["backends"] = std::move(backends);
    Json tables = Json::array();
    for (const Table* table : tables_of(report)) tables.push_back(json_of(*table));
    out["tables"] = std::move(tables);
    out["run"] = report.has(ReportSection::run) ? json_of(report, *report.run) : Json();
    return text_of(out, -1);
}

std::string render_trace(const Report& report) {
    if (!report.run || report.run->executions.empty()) {
        throw Error(ErrorKind::usage, "there is no timeline without a run", "--format trace",
                    "add --run and a --prompt");
    }
    Json events = Json::array();
    const auto name_row = [&](const char* what, std::size_t process, std::int32_t thread,
                              const std::string& name) {
        Json row{{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}};
        row["args"] = {{"name", name}};
        events.push_back(std::move(row));
    };
    std::int64_t begin = 0;
    for (std::size_t e = 0; e < report.run->executions.size(); ++e) {
        const ReportExecution& execution = report.run->executions[e];
        const std::size_t process = e + 1;
        name_row("process_name", process, 0, execution.title);
        for (std::size_t b = 0; b < report.backends.size(); ++b) {
            name_row("thread_name", process, static_cast<std::int32_t>(b), report.backends[b].name);
        }
        for (const ExecutionEvent& event : execution.execution->events) {
            const std::string split =
                event.split.valid() ? std::to_string(event.split.value) : std::string("?");
            Json row{{"ph", "X"}, {"pid", process}, {"tid", event.backend.value}};
            // Microseconds, as the trace-event format wants.
            row["ts"] = static_cast<double>(begin + event.start.count()) / 1e3;
            row["dur"] = static_cast<double>((event.end - event.start).count()) / 1e3;
            Json args{{"split", event.split.value}};
            switch (event.kind) {
                case ExecutionEventKind::compute:
                    row["name"] = "split " + split;
                    row["cat"] = "compute";
                    args["first_node"] = event.first_node;
                    args["last_node"] = event.last_node;
                    break;
                case ExecutionEventKind::wait:
                    row["name"] = "wait, split " + split;
                    row["cat"] = "wait";
                    break;
                case ExecutionEventKind::copy:
                case ExecutionEventKind::expert_copy:
                    row["name"] =
                        "copy " + (event.tensor.valid() ? execution.schedule->tensor(event.tensor).name
                                                        : std::string());
                    row["cat"] = "copy";
                    args["bytes"] = event.bytes;
                    break;
            }
            row["args"] = std::move(args);
            events.push_back(std::move(row));
        }
        begin += execution.execution->duration.count();
    }
    const Json out{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return text_of(out, -1);
}

}  // namespace splitscope
