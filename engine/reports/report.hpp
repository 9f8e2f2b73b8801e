// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/memory/usage_timeline.hpp"
#include "engine/messages/message.hpp"
#include "engine/reports/report_plans.hpp"
#include "engine/reports/table.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The sections of a report, in order.
enum class ReportSection : std::uint8_t {
    summary,
    findings,
    suggestions,
    machine,
    passes,
    splits,
    buffers,
    run,
    comparison,
    made_with
};

inline constexpr std::array kReportSections = {
    ReportSection::summary,    ReportSection::findings, ReportSection::suggestions, ReportSection::machine,
    ReportSection::passes,     ReportSection::splits,   ReportSection::buffers,     ReportSection::run,
    ReportSection::comparison, ReportSection::made_with};

/// "summary", "findings", …, as in options and settings.
std::string_view name_of(ReportSection section);
/// The section's heading.
Message title_of(ReportSection section);
std::optional<ReportSection> report_section_named(std::string_view name);

struct Fact {
    std::string name;
    std::string value;
};

/// A backend in tables and figures.
struct ReportBackend {
    std::string name;
    std::string colour;  ///< "#rrggbb"
};

/// Memory requirement of a device, in bytes.
struct ReportDevice {
    BackendId backend;
    std::uint64_t weights = 0;
    std::uint64_t cache = 0;
    std::uint64_t compute = 0;  ///< the larger of the prompt's graph and the one-token graph
    std::uint64_t output = 0;
    std::uint64_t memory = 0;  ///< what it has free; 0 = not known
    std::uint64_t total() const { return weights + cache + compute + output; }
};

/// Results of one pass.
struct ReportPass {
    Pass pass = Pass::p1;
    std::string title;    ///< "Pass 2.1"
    std::string purpose;  ///< one sentence
    std::size_t decisions = 0;
    std::size_t changes = 0;  ///< decisions that gave a tensor another backend
    Table causes;
    Table table;  ///< the decisions in order, with their evidence
};

/// One box of the split overview.
struct OverviewBox {
    BackendId backend;
    std::size_t nodes = 0;  ///< computing nodes, view operations not counted
    double flops = 0;
};

/// All copies from one split, or from the inputs on one backend, to another split.
struct OverviewArrow {
    SplitId from;            ///< none = inputs and weights, which belong to no split
    BackendId from_backend;  ///< where the originals are
    SplitId to;
    std::size_t copies = 0;
    std::uint64_t bytes = 0;
    std::string example;  ///< name of the largest tensor
};

struct Overview {
    std::vector<OverviewBox> boxes;  ///< one per split
    std::vector<OverviewArrow> arrows;
};

/// Consecutive nodes of the schedule graph on one backend: the background of buffer plots.
struct SplitBand {
    BackendId backend;
    NodePosition first = 0;
    NodePosition last = 0;  ///< inclusive
};

/// The plot of one buffer and its contents at the peak.
struct ReportBuffer {
    BufferTimeline timeline;
    std::string title;  ///< "GPU0", or "GPU0, chunk 1"
    BackendId backend;  ///< whose colour it takes
    Table peak;
};

/// A recorded execution with its schedule.
struct ReportExecution {
    std::string title;  ///< "Prompt, 4 tokens at once", "Last generated token"
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const Execution> execution;
    Table splits;  ///< time and bytes per split
};

struct ReportRun {
    std::vector<Fact> facts;
    std::string prompt;
    std::string text;
    std::vector<ReportExecution> executions;
};

/// Another generation's decisions on the same graph.
struct ReportComparison {
    std::vector<Fact> facts;
    Table figures;      ///< splits, bytes copied, buffers: one row each, both sides
    Table differences;  ///< tensors decided on differently
};

/// The contents of a report, independent of its format. Deterministic: contains no dates or user names, and
/// paths only on request.
struct Report {
    std::string title;
    std::string headline;                 ///< the summary line
    std::string error;                    ///< why scheduling or planning ended early; empty when it did not
    std::vector<ReportSection> sections;  ///< those it has, in order; every renderer follows it
    std::vector<ReportBackend> backends;
    std::vector<Fact> summary;
    std::vector<Table> summary_tables;
    std::vector<ReportDevice> devices;  ///< of a model that was planned
    Table findings;                     ///< known hazards of this schedule (scheduler/findings.hpp)
    Table suggestions;                  ///< what could be better, and what to try
    std::vector<Fact> machine;
    std::vector<Table> machine_tables;
    Table pass_table;
    std::vector<ReportPass> passes;
    Overview overview;
    Table splits;
    Table copies;
    Table nodes;
    std::vector<SplitBand> bands;
    std::vector<ReportBuffer> buffers;
    Table buffer_table;
    std::vector<std::string> tensor_names;  ///< names of the schedule graph's tensors, by TensorId
    std::optional<ReportRun> run;
    std::optional<ReportComparison> comparison;
    std::vector<Fact> made_with;

    bool has(ReportSection section) const;
};

struct ReportOptions {
    /// Maximum rows per table; the rest is counted. Machine-readable formats are not limited.
    std::size_t max_rows = static_cast<std::size_t>(-1);
    /// Sections to write; empty sections are omitted.
    std::vector<ReportSection> sections{kReportSections.begin(), kReportSections.end()};
    /// Show the file's full path, which may reveal the user's name.
    bool show_path = false;
    /// Decisions of another generation to compare with; not owned.
    const ComparedGenerations* comparison = nullptr;
    /// Result of plan_for_report() for the same session; not owned.
    const ReportPlans* plans = nullptr;
};

/// Builds the report of an analysis and, optionally, of a run. O(schedule + plan).
Report make_report(const Analysis& analysis, const RunResult* run = nullptr,
                   const ReportOptions& options = {});

}  // namespace splitscope
