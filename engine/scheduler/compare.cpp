// SPDX-License-Identifier: MIT
#include "engine/scheduler/compare.hpp"

#include <algorithm>

#include "engine/scheduler/decisions_by_tensor.hpp"
#include "engine/scheduler/link_copies.hpp"
#include "engine/scheduler/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

bool same_decision(const Decision& a, const Decision& b) {
    return a.pass == b.pass && a.cause == b.cause && a.from == b.from && a.to == b.to;
}

void compare_tensors(const Schedule& a, const Schedule& b, ScheduleComparison& result,
                     StopCheck& stop_check) {
    const DecisionsByTensor decisions_a(a, stop_check);
    const DecisionsByTensor decisions_b(b, stop_check);
    for (std::size_t t = 0; t < a.graph->tensors.size(); ++t) {
        stop_check.step();
        const auto of_a = decisions_a.of(TensorId(t));
        const auto of_b = decisions_b.of(TensorId(t));
        std::size_t i = 0;
        while (i < of_a.size() && i < of_b.size() &&
               same_decision(a.decisions[of_a[i]], b.decisions[of_b[i]]))
            ++i;
        TensorDifference difference;
        difference.tensor = TensorId(t);
        if (i < of_a.size()) difference.decision_a = of_a[i];
        if (i < of_b.size()) difference.decision_b = of_b[i];
        difference.backend_a = a.backend[t];
        difference.backend_b = b.backend[t];
        difference.elsewhere = !result.gave_up() && difference.backend_a != difference.backend_b;
        if (!difference.decision_a && !difference.decision_b && !difference.elsewhere) continue;
        if ((result.gave_up_a && !difference.decision_a) || (result.gave_up_b && !difference.decision_b)) {
            ++result.not_reached;
            continue;
        }
        Pass pass = Pass::p5;
        if (difference.decision_a) pass = std::min(pass, a.decisions[*difference.decision_a].pass);
        if (difference.decision_b) pass = std::min(pass, b.decisions[*difference.decision_b].pass);
        difference.pass = pass;
        if (difference.elsewhere) ++result.elsewhere;
        result.tensors.push_back(difference);
    }
}

bool same_split(const Split& a, const Split& b) {
    return a.backend == b.backend && a.start == b.start && a.end == b.end && a.inputs == b.inputs;
}

}  // namespace

ScheduleComparison compare(const Schedule& a, const Schedule& b, const JobContext& job) {
    if (a.graph->tensors.size() != b.graph->tensors.size()) {
        throw Error(ErrorKind::usage, msg::kDifferentGraphs, msg::kPlaceComparison, msg::kCompareSameGraph);
    }
    ScheduleComparison result;
    StopCheck stop_check(job);
    result.gave_up_a = a.error.has_value();
    result.gave_up_b = b.error.has_value();
    compare_tensors(a, b, result, stop_check);
    const std::size_t common = std::min(a.splits.size(), b.splits.size());
    std::size_t s = 0;
    while (s < common && same_split(a.splits[s], b.splits[s])) ++s;
    if (!result.gave_up() && (s < common || a.splits.size() != b.splits.size()))
        result.first_split = SplitId(s);
    result.copied_bytes_a = copied_bytes(a);
    result.copied_bytes_b = copied_bytes(b);
    return result;
}

}  // namespace splitscope
