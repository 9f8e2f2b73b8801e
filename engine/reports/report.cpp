// SPDX-License-Identifier: MIT
#include "engine/reports/report.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/reports/palette.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope {
namespace report_parts {

Table new_table(std::string id, std::string title, std::vector<Column> columns,
                const ReportOptions& options) {
    Table table;
    table.id = std::move(id);
    table.title = std::move(title);
    table.columns = std::move(columns);
    table.max_rows = options.max_rows;
    return table;
}

Cell cell(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return static_cast<double>(value);
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace report_parts

namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "an unknown compiler";
#endif
}

void add_provenance(Report& report, const Analysis& analysis, bool show_path) {
    auto& facts = report.made_with;
    facts.push_back({"Program", fmt::format("Splitscope {}, built with {}", SPLITSCOPE_VERSION, compiler())});
    const std::filesystem::path& path = analysis.session.file->path;
    facts.push_back({"File", (show_path ? std::filesystem::absolute(path) : path.filename()).string()});
    facts.push_back({"Scheduler generation", std::string(name_of(analysis.session.generation))});
    if (analysis.session.file->model) {
        const ModelOptions& options = analysis.session.model_options;
        const bool prefill = options.kind == GraphKind::prefill;
        facts.push_back(
            {"Graph", prefill ? fmt::format("prefill of {} tokens", options.batch) : "decode of one token"});
        facts.push_back({"Context", options.context == 0 ? "the model's own, at most 4096 cells"
                                                         : fmt::format("{} cells", options.context)});
        facts.push_back({"Layers on accelerators", options.gpu_layers == kAllLayers ? "all of them"
                                                   : options.gpu_layers < 0
                                                       ? "half of them"
                                                       : fmt::format("{}", options.gpu_layers)});
    }
    const Machine& machine = *analysis.machine;
    facts.push_back({"Machine", machine.name.empty() ? "unnamed" : machine.name});
    facts.push_back({"Pipeline copies", fmt::format("{}", analysis.schedule->n_copies)});
    facts.push_back({"Offload of operations", machine.op_offload ? "on" : "off"});
    facts.push_back({"User assignments", fmt::format("{}", machine.assignments.size())});
}

}  // namespace

Report make_report(const Analysis& analysis, const RunResult* run, const ReportOptions& options) {
    using namespace report_parts;
    Report report;
    report.title = analysis.session.file->title();
    const Schedule& schedule = *analysis.schedule;
    if (schedule.error) {
        report.error = "Scheduling ended early: " + schedule.error->message;
    } else if (analysis.plan->error) {
        report.error = "Planning memory ended early: " + *analysis.plan->error;
    }
    const auto& backends = analysis.machine->backends;
    for (std::size_t b = 0; b < backends.size(); ++b) {
        report.backends.push_back({backends[b].name, std::string(backend_colour(b, backends.size()))});
    }
    const std::size_t tensors = analysis.graph->tensors.size() + schedule.added.size();
    report.tensor_names.reserve(tensors);
    for (std::size_t i = 0; i < tensors; ++i)
        report.tensor_names.push_back(schedule.tensor(TensorId(i)).name);

    const Summary summary = summarise(analysis);
    report.headline = summary.line(*analysis.machine);
    add_summary(report, analysis, summary, options);
    add_machine(report, analysis, options);
    add_passes(report, analysis, options);
    add_splits(report, analysis, options);
    add_buffers(report, analysis, options);
    add_findings(report, analysis, options);
    add_suggestions(report, analysis, summary, options);
    if (run != nullptr) add_run(report, analysis, *run, options);
    if (options.comparison != nullptr) add_comparison(report, *options.comparison, options);
    add_provenance(report, analysis, options.show_path);
    for (const ReportSection section : kReportSections) {
        if (std::ranges::find(options.sections, section) == options.sections.end()) continue;
        if (section == ReportSection::run && !report.run) continue;
        if (section == ReportSection::comparison && !report.comparison) continue;
        report.sections.push_back(section);
    }
    return report;
}

bool Report::has(ReportSection section) const {
    return std::ranges::find(sections, section) != sections.end();
}

std::string_view name_of(ReportSection section) {
    constexpr std::array<std::string_view, kReportSections.size()> names = {
        "summary", "findings", "suggestions", "machine",    "passes",
        "splits",  "buffers",  "run",         "comparison", "made"};
    return names[static_cast<std::size_t>(section)];
}

std::string_view title_of(ReportSection section) {
    constexpr std::array<std::string_view, kReportSections.size()> titles = {
        "Summary",           "Findings", "Suggestions", "Machine",    "Schedule by pass",
        "Splits and copies", "Buffers",  "Run",         "Comparison", "How it was made"};
    return titles[static_cast<std::size_t>(section)];
}

std::optional<ReportSection> report_section_named(std::string_view name) {
    for (const ReportSection section : kReportSections) {
        if (name_of(section) == name) return section;
    }
    return std::nullopt;
}

}  // namespace splitscope
