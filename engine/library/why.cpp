// SPDX-License-Identifier: MIT
#include "engine/library/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/decision_evidence.hpp"
#include "engine/support/nearest_name.hpp"
#include "splitscope/schedule.hpp"

namespace splitscope {
namespace {

std::string backend_name_of(const Machine& machine, BackendId backend) {
    return backend.valid() ? machine.backends[backend.index()].name : std::string();
}

std::string or_none(const std::string& backend) {
    return backend.empty() ? "none" : backend;
}

/// The identities of all tensors if the text is one, otherwise their names.
std::vector<std::string> names_like(const Analysis& analysis, std::string_view text) {
    const bool identity = text.find('@') != std::string_view::npos;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < analysis.graph->tensors.size(); ++i) {
        const TensorId tensor(i);
        names.push_back(identity ? text_of(analysis.identities->of(tensor)) : (*analysis.graph)[tensor].name);
    }
    return names;
}

}  // namespace

std::string Why::text() const {
    std::string text;
    for (const WhyStep& step : steps) {
        text += "pass " + std::string(name_of(step.pass)) + ": ";
        text += step.from == step.to ? "stays on " + or_none(step.to)
                                     : or_none(step.from) + " → " + or_none(step.to);
        if (!step.cause.empty()) text += " (" + step.cause + ")";
        text += ": " + step.reason;
        if (!step.evidence.empty()) text += "; " + step.evidence;
        text += '\n';
    }
    return text;
}

Why why(const Analysis& analysis, TensorId tensor) {
    const Schedule& schedule = *analysis.schedule;
    Why why;
    why.tensor = tensor;
    why.identity = text_of(analysis.identities->of(tensor));
    why.backend = backend_name_of(*analysis.machine, schedule.backend[tensor.index()]);
    for (std::size_t i = 0; i < schedule.decisions.size(); ++i) {
        const Decision& decision = schedule.decisions[i];
        if (decision.tensor != tensor) continue;
        why.steps.push_back({i, decision.pass, label_of(decision.cause),
                             backend_name_of(*analysis.machine, decision.from),
                             backend_name_of(*analysis.machine, decision.to),
                             english(explain(decision.cause)), english(evidence_of(analysis, decision))});
    }
    return why;
}

Why why(const Analysis& analysis, std::string_view tensor) {
    const TensorId found = analysis.identities->find(tensor);
    if (!found.valid()) {
        const std::string similar = nearest_name(names_like(analysis, tensor), tensor);
        throw Error(ErrorKind::unknown, msg::kGraphHasNoTensor, tensor,
                    similar.empty() ? Message(msg::kUseTensorName) : msg::kDidYouMean(similar));
    }
    return why(analysis, found);
}

}  // namespace splitscope
