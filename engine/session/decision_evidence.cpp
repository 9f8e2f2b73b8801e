// SPDX-License-Identifier: MIT
#include "engine/session/decision_evidence.hpp"

#include <utility>

#include "engine/messages/messages.hpp"
#include "engine/scheduler/explain.hpp"

namespace splitscope {

std::optional<WeightRule> rule_behind(const Analysis& analysis, const Decision& decision) {
    const CauseKind kind = decision.cause.kind;
    if (kind != CauseKind::wgt && kind != CauseKind::off && kind != CauseKind::dst) return std::nullopt;
    const auto& model = analysis.session.file->model;
    if (!model || !analysis.layout || analysis.layout->rules.empty()) return std::nullopt;
    const TensorId weight = kind == CauseKind::dst ? decision.tensor : decision.evidence.via;
    if (!weight.valid()) return std::nullopt;
    const Tensor& tensor = analysis.schedule->tensor(weight);
    const auto in_file = model->file().find_tensor(tensor.name);
    if (tensor.op != Op::none || !in_file) return std::nullopt;
    return rule_of_weight(*analysis.layout, *in_file);
}

std::string unambiguous_name(const Analysis& analysis, TensorId tensor) {
    // Copies have names of their own.
    return tensor.index() < analysis.graph->tensors.size() ? analysis.identities->unambiguous_name(tensor)
                                                           : analysis.schedule->tensor(tensor).name;
}

Message evidence_of(const Analysis& analysis, const Decision& decision) {
    Message evidence = evidence_of(*analysis.schedule, decision,
                                   [&](TensorId tensor) { return unambiguous_name(analysis, tensor); });
    std::optional<WeightRule> rule = rule_behind(analysis, decision);
    if (!rule) return evidence;
    if (evidence.empty()) return std::move(rule->cause);
    return Message::list({std::move(evidence), std::move(rule->cause)}, msg::kSemicolon);
}

}  // namespace splitscope
