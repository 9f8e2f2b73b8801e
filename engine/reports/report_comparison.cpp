// SPDX-License-Identifier: MIT
#include <map>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

/// "4.cur → GPU0", or empty if there is no decision.
Cell decision_cell(const Schedule& schedule, const std::optional<std::size_t>& index) {
    if (!index) return {};
    const Decision& decision = schedule.decisions[*index];
    const std::string label = label_of(decision.cause);
    return fmt::format("{} → {}", label.empty() ? "no cause" : label, backend_name(schedule, decision.to));
}

std::uint64_t buffer_bytes(const Analysis& analysis) {
    std::uint64_t bytes = 0;
    for (const auto& buffer : analysis.plan->buffers) bytes += buffer.size;
    return bytes;
}

}  // namespace

void add_comparison(Report& report, const ComparedGenerations& compared, const ReportOptions& options) {
    const Schedule& a = *compared.a->schedule;
    const Schedule& b = *compared.b->schedule;
    const std::string name_a(name_of(a.generation));
    const std::string name_b(name_of(b.generation));
    const ScheduleComparison& comparison = compared.comparison;
    ReportComparison out;
    const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
    out.facts.push_back({"Generations", fmt::format("{} and {}", name_a, name_b)});
    out.facts.push_back({"Same decisions", comparison.same() ? "yes" : "no"});
    out.facts.push_back({"Tensors decided on differently", count(comparison.tensors.size())});
    if (comparison.gave_up()) {
        out.facts.push_back({"Not reached by a side that gave up", count(comparison.not_reached)});
    } else {
        out.facts.push_back({"On another backend in the end", count(comparison.elsewhere)});
        out.facts.push_back({"First split that differs",
                             comparison.first_split ? fmt::format("{}", comparison.first_split->value)
                                                    : std::string("none")});
    }
    std::map<Pass, std::size_t> by_pass;
    for (const TensorDifference& difference : comparison.tensors) ++by_pass[difference.pass];
    for (const auto& [pass, tensors] : by_pass) {
        out.facts.push_back({fmt::format("First differ in pass {}", name_of(pass)), count(tensors)});
    }
    for (const Schedule* side : {&a, &b}) {
        if (side->error)
            out.facts.push_back(
                {fmt::format("{} gave up", name_of(side->generation)), english(side->error->message)});
    }

    out.figures = new_table("comparison-figures", "Both generations",
                            {{"generation", "Generation", ColumnKind::name},
                             {"splits", "Splits", ColumnKind::count},
                             {"copied_bytes", "Copied per run", ColumnKind::bytes},
                             {"buffer_bytes", "Compute buffers", ColumnKind::bytes}},
                            options);
    out.figures.add(
        {name_a, cell(a.splits.size()), cell(comparison.copied_bytes_a), cell(buffer_bytes(*compared.a))});
    out.figures.add(
        {name_b, cell(b.splits.size()), cell(comparison.copied_bytes_b), cell(buffer_bytes(*compared.b))});

    out.differences = new_table("differences", "Tensors decided on differently",
                                {{"tensor", "Tensor", ColumnKind::name},
                                 {"op", "Operation", ColumnKind::text},
                                 {"pass", "First in pass", ColumnKind::name},
                                 {"decision_a", name_a, ColumnKind::text},
                                 {"decision_b", name_b, ColumnKind::text},
                                 {"end_a", fmt::format("End, {}", name_a), ColumnKind::backend},
                                 {"end_b", fmt::format("End, {}", name_b), ColumnKind::backend}},
                                options);
    for (const TensorDifference& difference : comparison.tensors) {
        const Tensor& tensor = (*a.graph)[difference.tensor];
        out.differences.add({tensor.name, std::string(name_of(tensor.op)),
                             std::string(name_of(difference.pass)), decision_cell(a, difference.decision_a),
                             decision_cell(b, difference.decision_b), backend_name(a, difference.backend_a),
                             backend_name(b, difference.backend_b)});
    }
    report.comparison = std::move(out);
}

}  // namespace splitscope::report_parts
