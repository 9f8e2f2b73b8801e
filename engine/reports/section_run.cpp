// SPDX-License-Identifier: MIT
#include <utility>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/session/messages.hpp"

namespace splitscope::report_parts {
namespace {

std::string rate(std::size_t tokens, std::chrono::nanoseconds time) {
    if (time.count() <= 0 || tokens == 0) return "–";
    return fmt::format("{:.1f} tokens/s",
                       static_cast<double>(tokens) * 1e9 / static_cast<double>(time.count()));
}

/// The first token needs no decoding, so the time is that of the others.
std::string generated(const RunResult& run) {
    std::string text = english(msg::kTokenCount(run.tokens.size()));
    if (run.decoded_tokens == 0) return text;
    if (run.decoded_tokens != run.tokens.size()) text += fmt::format(", {} of them", run.decoded_tokens);
    return text + fmt::format(" in {}, {}", format_duration(run.decode_time.count()),
                              rate(run.decoded_tokens, run.decode_time));
}

Table split_times(const Schedule& schedule, const Execution& execution, const std::string& id,
                  const ReportOptions& options) {
    struct Times {
        std::int64_t compute = 0;
        std::int64_t copy = 0;
        std::int64_t wait = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<Times> times(schedule.splits.size());
    for (const ExecutionEvent& event : execution.events) {
        if (!event.split.valid() || event.split.index() >= times.size()) continue;
        Times& split = times[event.split.index()];
        const std::int64_t duration = (event.end - event.start).count();
        switch (event.kind) {
            case ExecutionEventKind::copy:
            case ExecutionEventKind::expert_copy:
                split.copy += duration;
                split.bytes += event.bytes;
                break;
            case ExecutionEventKind::compute:
                split.compute += duration;
                break;
            case ExecutionEventKind::wait:
                split.wait += duration;
                break;
        }
    }
    Table table = new_table(id, "Time per split",
                            {{"split", "Split", ColumnKind::count},
                             {"backend", "Backend", ColumnKind::backend},
                             {"compute_ns", "Compute", ColumnKind::nanoseconds},
                             {"copy_ns", "Copies", ColumnKind::nanoseconds},
                             {"wait_ns", "Waiting", ColumnKind::nanoseconds},
                             {"bytes", "Bytes copied", ColumnKind::bytes},
                             {"share", "of the run", ColumnKind::share}},
                            options);
    const auto whole = static_cast<double>(execution.duration.count());
    for (std::size_t s = 0; s < times.size(); ++s) {
        const Times& split = times[s];
        const auto sum = static_cast<double>(split.compute + split.copy + split.wait);
        table.add({cell(s), backend_name(schedule, schedule.splits[s].backend), split.compute, split.copy,
                   split.wait, cell(split.bytes), whole > 0 ? sum / whole : 0.0});
    }
    return table;
}

std::vector<Part> run_parts(const ReportInput& input, Report& report) {
    if (input.run == nullptr) return {};
    const RunResult& run = *input.run;
    ReportRun section;
    const Model* model = input.analysis.session.file->model.get();
    const Tokenizer* tokenizer = model != nullptr ? model->tokenizer() : nullptr;
    if (tokenizer != nullptr) section.prompt = tokenizer->decode(run.prompt_tokens);
    section.text = run.text;
    const auto time = [](std::chrono::nanoseconds t) { return format_duration(t.count()); };
    section.facts = {
        {"Prompt", fmt::format("{} in {}, {}", english(msg::kTokenCount(run.prompt_tokens.size())),
                               time(run.prefill_time), rate(run.prompt_tokens.size(), run.prefill_time))},
        {"Generated", generated(run)},
        {"Ended", run.cancelled ? "stopped by the user" : "as asked"},
    };
    std::vector<Part> parts = {Facts{section.facts}, Quote{section.prompt, section.text}};
    const auto add = [&](std::string title, const char* id, const std::shared_ptr<const Analysis>& ran,
                         const std::shared_ptr<const Execution>& execution) {
        if (!ran || !execution) return;
        ReportExecution recorded;
        recorded.title = std::move(title);
        recorded.schedule = ran->schedule;
        recorded.execution = execution;
        const auto draw = [place = section.executions.size()](const Report& of) {
            return figures::execution_timeline(of, of.run->executions[place]);
        };
        Group group;
        group.title = recorded.title;
        group.parts = {Picture{draw, "Computing in the backend's colour, copies in red, waiting in grey."},
                       ShownTable{split_times(*ran->schedule, *execution, id, input.options)}};
        parts.emplace_back(std::move(group));
        section.executions.push_back(std::move(recorded));
    };
    add(run.prefill_tokens == run.prompt_tokens.size()
            ? "Prefill"
            : fmt::format("Prefill of the last {} of {}", run.prefill_tokens,
                          english(msg::kTokenCount(run.prompt_tokens.size()))),
        "prefill-times", run.prefill, run.prefill_execution);
    add("Decode of the last token", "decode-times", run.decode, run.decode_execution);
    report.run = std::move(section);
    return parts;
}

}  // namespace

ReportSection run_section() {
    return {"run", msg::kRunSection, run_parts, {}, ReportSection::Needs::run};
}

}  // namespace splitscope::report_parts
