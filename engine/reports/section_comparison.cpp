// SPDX-License-Identifier: MIT
#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::report_parts {
namespace {

/// "4.cur → GPU0", or empty without a decision.
Cell decision_cell(const Report& report, const Schedule& schedule, const std::optional<std::size_t>& index) {
    if (!index) return {};
    const Decision& decision = schedule.decisions[*index];
    const std::string label = label_of(decision.cause);
    return fmt::format("{} → {}", label.empty() ? "no cause" : label,
                       report.label_of(backend_name(schedule, decision.to)));
}

std::vector<Part> comparison_parts(const ReportInput& input, Report& report) {
    if (input.options.comparison == nullptr) return {};
    const ComparedGenerations& compared = *input.options.comparison;
    const ReportOptions& options = input.options;
    const Schedule& a = *compared.a->schedule;
    const Schedule& b = *compared.b->schedule;
    const std::string name_a(name_of(a.generation));
    const std::string name_b(name_of(b.generation));
    const ScheduleComparison& comparison = compared.comparison;
    std::vector<Fact> facts;
    facts.push_back({"Generations", fmt::format("{} and {}", name_a, name_b)});
    facts.push_back({"Same decisions", comparison.same() ? "yes" : "no"});
    facts.push_back({"Tensors decided on differently", count_text(comparison.tensors.size())});
    if (comparison.gave_up()) {
        facts.push_back({"Not reached by a side that failed", count_text(comparison.not_reached)});
    } else {
        facts.push_back({"On another backend in the end", count_text(comparison.elsewhere)});
        facts.push_back({"First split that differs", comparison.first_split
                                                         ? fmt::format("{}", comparison.first_split->value)
                                                         : std::string("none")});
    }
    std::map<Pass, std::size_t> by_pass;
    for (const TensorDifference& difference : comparison.tensors) ++by_pass[difference.pass];
    for (const auto& [pass, tensors] : by_pass) {
        facts.push_back({fmt::format("First differ in pass {}", name_of(pass)), count_text(tensors)});
    }
    for (const Schedule* side : {&a, &b}) {
        if (side->error)
            facts.push_back(
                {fmt::format("{} failed", name_of(side->generation)), english(side->error->message)});
    }

    Table figures = new_table("comparison-figures", "Both generations",
                              {{"generation", "Generation", ColumnKind::name},
                               {"splits", "Splits", ColumnKind::count},
                               {"copied_bytes", "Copied per run", ColumnKind::bytes},
                               {"buffer_bytes", "Compute buffers", ColumnKind::bytes}},
                              options);
    figures.add(
        {name_a, cell(a.splits.size()), cell(comparison.copied_bytes_a), cell(buffer_bytes(*compared.a))});
    figures.add(
        {name_b, cell(b.splits.size()), cell(comparison.copied_bytes_b), cell(buffer_bytes(*compared.b))});

    Table differences = new_table("differences", "Tensors decided on differently",
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
        differences.add({tensor.name, std::string(name_of(tensor.op)), std::string(name_of(difference.pass)),
                         decision_cell(report, a, difference.decision_a),
                         decision_cell(report, b, difference.decision_b),
                         backend_name(a, difference.backend_a), backend_name(b, difference.backend_b)});
    }
    return {Facts{std::move(facts)}, ShownTable{std::move(figures)},
            ShownTable{std::move(differences), TableLook::folded_if_long}};
}

}  // namespace

ReportSection comparison_section() {
    return {"comparison", msg::kComparisonSection, comparison_parts, "comparison",
            ReportSection::Needs::comparison};
}

}  // namespace splitscope::report_parts
