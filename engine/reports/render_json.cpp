// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/formats/json_writer.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Facts may repeat names (such as notes), members of an object must not.
void write_facts(JsonWriter& json, const std::vector<Fact>& facts) {
    std::vector<Fact> members;
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (const Fact& fact : facts) {
        const auto [known, inserted] = by_name.try_emplace(fact.name, members.size());
        if (inserted) {
            members.push_back(fact);
        } else {
            members[known->second].value += "; " + fact.value;
        }
    }
    json.object([&] {
        for (const Fact& member : members) json.member(member.name, member.value);
    });
}

void write_section_facts(JsonWriter& json, const ReportSection& section, const ReportContent* content) {
    if (content == nullptr && section.needs != ReportSection::Needs::analysis) return json.value(nullptr);
    std::vector<Fact> all;
    if (content != nullptr) {
        for (const Part& part : content->parts)
            if (const auto* facts = std::get_if<Facts>(&part.what))
                all.insert(all.end(), facts->facts.begin(), facts->facts.end());
    }
    write_facts(json, all);
}

void write_cell(JsonWriter& json, const Cell& cell) {
    if (const auto* text = text_of(cell)) {
        json.value(*text);
    } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        json.value(*integer);
    } else if (const auto* number = std::get_if<double>(&cell)) {
        json.value(*number);
    } else {
        json.value(nullptr);
    }
}

void write_table(JsonWriter& json, const Table& table) {
    json.object([&] {
        json.member("id", table.id);
        json.member("title", table.title);
        json.objects("columns", table.columns, [&](const Column& column) {
            json.member("key", column.key);
            json.member("title", column.title);
            json.member("kind", name_of(column.kind));
        });
        json.array("rows", [&] {
            for (const auto& row : table.rows) {
                json.array([&] {
                    for (const Cell& cell : row) write_cell(json, cell);
                });
            }
        });
    });
}

void write_event(JsonWriter& json, const Report& report, const Schedule& schedule,
                 const ExecutionEvent& event) {
    const bool copy = event.kind == ExecutionEventKind::copy || event.kind == ExecutionEventKind::expert_copy;
    std::optional<std::string_view> backend;
    if (event.backend.valid()) backend = report.backends[event.backend.index()].name;
    json.object([&] {
        json.member("kind", copy ? "copy" : event.kind == ExecutionEventKind::wait ? "wait" : "compute");
        json.member("split", event.split.value);
        json.member("backend", backend);
        if (copy) {
            std::optional<std::string_view> tensor;
            if (event.tensor.valid()) tensor = schedule.tensor(event.tensor).name;
            json.member("tensor", tensor);
            json.member("bytes", event.bytes);
        }
        json.member("start_ns", event.start.count());
        json.member("end_ns", event.end.count());
    });
}

void write_run(JsonWriter& json, const Report& report, const ReportRun& run) {
    json.object([&] {
        json.key("facts");
        write_facts(json, run.facts);
        json.member("prompt", run.prompt);
        json.member("text", run.text);
        json.objects("executions", run.executions, [&](const ReportExecution& execution) {
            json.member("title", execution.title);
            json.member("duration_ns", execution.execution->duration.count());
            json.array("events", [&] {
                for (const ExecutionEvent& event : execution.execution->events)
                    write_event(json, report, *execution.schedule, event);
            });
        });
    });
}

/// Names the rows of a timeline: a process per execution, a thread per backend.
void write_row_name(JsonWriter& json, std::string_view what, std::size_t process, std::size_t thread,
                    std::string_view name) {
    json.object([&] {
        json.member("ph", "M");
        json.member("name", what);
        json.member("pid", process);
        json.member("tid", thread);
        json.object("args", [&] { json.member("name", name); });
    });
}

void write_trace_event(JsonWriter& json, const Schedule& schedule, const ExecutionEvent& event,
                       std::size_t process, std::int64_t begin) {
    const std::string split = event.split.valid() ? std::to_string(event.split.value) : std::string("?");
    std::string name;
    std::string_view category;
    switch (event.kind) {
        case ExecutionEventKind::compute:
            name = "split " + split;
            category = "compute";
            break;
        case ExecutionEventKind::wait:
            name = "wait, split " + split;
            category = "wait";
            break;
        case ExecutionEventKind::copy:
        case ExecutionEventKind::expert_copy:
            name = "copy " + (event.tensor.valid() ? schedule.tensor(event.tensor).name : std::string());
            category = "copy";
            break;
    }
    json.object([&] {
        json.member("ph", "X");
        json.member("pid", process);
        json.member("tid", event.backend.value);
        // Microseconds, as trace-event JSON requires.
        json.member("ts", static_cast<double>(begin + event.start.count()) / 1e3);
        json.member("dur", static_cast<double>((event.end - event.start).count()) / 1e3);
        json.member("name", name);
        json.member("cat", category);
        json.object("args", [&] {
            json.member("split", event.split.value);
            if (event.kind == ExecutionEventKind::compute) {
                json.member("first_node", event.first_node);
                json.member("last_node", event.last_node);
            } else if (event.kind != ExecutionEventKind::wait) {
                json.member("bytes", event.bytes);
            }
        });
    });
}

}  // namespace

std::string render_json(const Report& report) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-report", 1);
        json.member("title", report.title);
        json.member("headline", report.headline);
        json.member("error", report.error.empty() ? std::nullopt : std::optional(report.error));
        json.array("sections", [&] {
            for (const ReportContent& section : report.sections) json.value(section.name());
        });
        for (const ReportSection& section : report_sections()) {
            if (section.facts.empty()) continue;
            json.key(section.facts);
            write_section_facts(json, section, report.find(section.name));
        }
        json.objects("backends", report.backends, [&](const ReportBackend& backend) {
            json.member("name", backend.name);
            json.member("label", backend.label);
            json.member("colour", backend.colour);
        });
        json.array("tables", [&] {
            for (const Table* table : tables_of(report)) write_table(json, *table);
        });
        json.key("run");
        if (report.run && report.find("run") != nullptr) {
            write_run(json, report, *report.run);
        } else {
            json.value(nullptr);
        }
    });
    return std::move(json).take();
}

std::string render_trace(const Report& report) {
    if (!report.run || report.run->executions.empty()) {
        throw Error(ErrorKind::usage, msg::kNoTimeline, "--format trace", msg::kAddRunAndPrompt);
    }
    JsonWriter json;
    json.object([&] {
        json.member("displayTimeUnit", "ms");
        json.array("traceEvents", [&] {
            std::int64_t begin = 0;
            for (std::size_t e = 0; e < report.run->executions.size(); ++e) {
                const ReportExecution& execution = report.run->executions[e];
                const std::size_t process = e + 1;
                write_row_name(json, "process_name", process, 0, execution.title);
                for (std::size_t b = 0; b < report.backends.size(); ++b)
                    write_row_name(json, "thread_name", process, b, report.backends[b].name);
                for (const ExecutionEvent& event : execution.execution->events)
                    write_trace_event(json, *execution.schedule, event, process, begin);
                begin += execution.execution->duration.count();
            }
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope
