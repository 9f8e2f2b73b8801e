// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/memory/usage_timeline.hpp"
#include "engine/messages/message.hpp"
#include "engine/reports/report_part.hpp"
#include "engine/reports/report_plans.hpp"
#include "engine/reports/table.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

struct Report;
struct ReportInput;

/// One kind of section. engine/reports/CMakeLists.txt lists them in their order.
struct ReportSection {
    std::string_view name;  ///< in options, settings and fragment identifiers of the page
    Message title;
    /// Returns the contents, empty if there are none. Data for pictures is stored in `report`.
    std::vector<Part> (*make)(const ReportInput& input, Report& report);
    std::string_view facts{};  ///< member of JSON reports that holds its facts, if any
    enum class Needs : std::uint8_t { analysis, run, comparison } needs = Needs::analysis;
};

std::span<const ReportSection> report_sections();
/// Null if there is none of that name.
const ReportSection* find_report_section(std::string_view name);
/// All of them, in order.
std::vector<std::string_view> report_section_names();

/// A backend in tables and figures.
struct ReportBackend {
    std::string name;    ///< as in cells of tables
    std::string label;   ///< what people read: label_of_device()
    std::string colour;  ///< "#rrggbb"
};

/// Memory requirement of a device, in bytes.
struct ReportDevice {
    BackendId backend;
    std::uint64_t weights = 0;
    std::uint64_t cache = 0;
    std::uint64_t compute = 0;  ///< the larger of the prompt's graph and the one-token graph
    std::uint64_t output = 0;
    std::uint64_t memory = 0;  ///< free memory of the device; 0 = not known
    std::uint64_t total() const { return weights + cache + compute + output; }
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

/// One buffer's plot.
struct ReportBuffer {
    BufferTimeline timeline;
    std::string title;  ///< "GPU0", or "GPU0, chunk 1"
    BackendId backend;  ///< determines its colour
};

/// A recorded execution with its schedule.
struct ReportExecution {
    std::string title;  ///< "Prompt, 4 tokens at once", "Last generated token"
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const Execution> execution;
};

struct ReportRun {
    std::vector<Fact> facts;
    std::string prompt;
    std::string text;
    std::vector<ReportExecution> executions;
};

/// The contents of a section.
struct ReportContent {
    const ReportSection* section = nullptr;
    std::vector<Part> parts;

    std::string_view name() const { return section->name; }
};

/// The contents of a report, independent of its format. Deterministic: contains no dates or user names, and
/// paths only on request.
struct Report {
    std::string title;
    std::string headline;                 ///< the summary line
    std::string error;                    ///< why scheduling or planning ended early; empty if it did not
    std::vector<ReportContent> sections;  ///< in display order

    // Data of pictures and timelines.
    std::vector<ReportBackend> backends;
    std::vector<ReportDevice> devices;  ///< only for a planned model
    Overview overview;
    std::vector<SplitBand> bands;
    std::vector<ReportBuffer> buffers;
    std::vector<std::string> tensor_names;  ///< names of the schedule graph's tensors, by TensorId
    std::optional<ReportRun> run;

    /// Null if it has none of that name.
    const ReportContent* find(std::string_view section) const;
    /// The label of the backend with this name; other names are unchanged.
    std::string label_of(const std::string& name) const;
    /// As format_cell(), with labels for the names of backends.
    std::string shown(const Cell& cell, ColumnKind kind) const;
    /// The table with labels for the names of backends.
    Table labelled(Table table) const;
};

struct ReportOptions {
    /// Maximum rows per table; the rest is counted. Machine-readable formats are not limited.
    std::size_t max_rows = static_cast<std::size_t>(-1);
    /// Sections to write; those without contents, such as that of a run, are omitted.
    std::vector<std::string_view> sections = report_section_names();
    /// Show the file's full path, which may reveal the user's name.
    bool show_path = false;
    /// Decisions of another generation to compare with; not owned.
    const ComparedGenerations* comparison = nullptr;
    /// Result of plan_for_report() for the same session; not owned.
    const ReportPlans* plans = nullptr;
};

/// The data of all sections.
struct ReportInput {
    const Analysis& analysis;
    const Summary& summary;
    const RunResult* run = nullptr;
    const ReportOptions& options;
};

/// Builds the report of an analysis and, optionally, of a run. O(schedule + plan).
Report make_report(const Analysis& analysis, const RunResult* run = nullptr,
                   const ReportOptions& options = {});

}  // namespace splitscope
