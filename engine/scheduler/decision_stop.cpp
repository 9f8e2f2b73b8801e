// SPDX-License-Identifier: MIT
#include "engine/scheduler/decision_stop.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/support/ascii.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {
namespace {

constexpr std::array<std::pair<StopKind, std::string_view>, 3> kNames{
    {{StopKind::tensor, "tensor"}, {StopKind::cause, "cause"}, {StopKind::backend, "backend"}}};

/// Enabled stops as sets, so that a decision is checked against all at once. Refers to the stops and the
/// schedule.
class StopSet {
 public:
    StopSet(const Schedule& schedule, std::span<const DecisionStop> stops) : schedule_(schedule) {
        for (const DecisionStop& stop : stops) {
            if (!stop.enabled) continue;
            texts_of(stop.kind).insert(stop.text);
            if (stop.kind != StopKind::tensor) continue;
            TensorIdentity identity = TensorIdentity::parse(stop.text);
            if (!identity.op) continue;
            identities_.insert(text_of(identity));
            names_of_identities_.insert(std::move(identity.name));
        }
        for (const MachineBackend& backend : schedule.machine->backends)
            stops_at_backend_.push_back(backends_.contains(backend.name));
    }

    bool stops_at(const Decision& decision) {
        if (!causes_.empty() && is_wanted_label(label_of(decision.cause))) return true;
        if (!decision.to.valid()) return false;
        if (decision.from != decision.to && stops_at_backend_[decision.to.index()]) return true;
        if (tensors_.empty()) return false;
        const std::string& name = schedule_.tensor(decision.tensor).name;
        return tensors_.contains(name) || (names_of_identities_.contains(name) && means(decision.tensor));
    }

 private:
    using Texts = std::unordered_set<std::string_view>;

    Texts& texts_of(StopKind kind) {
        switch (kind) {
            case StopKind::tensor:
                return tensors_;
            case StopKind::cause:
                return causes_;
            case StopKind::backend:
                break;
        }
        return backends_;
    }

    /// Whether an identity refers to this tensor. Copies have none.
    bool means(TensorId tensor) {
        if (schedule_.is_added(tensor)) return false;
        if (!graph_) graph_.emplace(schedule_.graph);
        return identities_.contains(text_of(graph_->of(tensor)));
    }

    /// "1.wgt" matches "1.wgt0", "1.wgt1", …
    bool is_wanted_label(std::string_view label) const {
        if (label.empty()) return false;
        return causes_.contains(label) ||
               (is_digit(label.back()) && causes_.contains(label.substr(0, label.size() - 1)));
    }

    const Schedule& schedule_;
    Texts tensors_;
    std::unordered_set<std::string> identities_;
    std::unordered_set<std::string> names_of_identities_;
    std::optional<TensorIdentities> graph_;  ///< made for the first decision on one of these names
    Texts causes_;
    Texts backends_;
    std::vector<bool> stops_at_backend_;  ///< by backend of the machine
};

}  // namespace

std::string_view name_of(StopKind kind) {
    return kNames[static_cast<std::size_t>(kind)].second;
}

std::optional<StopKind> stop_kind_named(std::string_view name) {
    for (const auto& entry : kNames) {
        if (entry.second == name) return entry.first;
    }
    return std::nullopt;
}

bool stops_at(const DecisionStop& stop, const Schedule& schedule, const Decision& decision) {
    return StopSet(schedule, {&stop, 1}).stops_at(decision);
}

std::optional<std::size_t> next_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                     std::size_t from, std::size_t to) {
    if (stops.empty()) return std::nullopt;
    StopSet set(schedule, stops);
    const std::size_t end = std::min(to, schedule.decisions.size());
    for (std::size_t d = from; d < end; ++d) {
        if (set.stops_at(schedule.decisions[d])) return d + 1;
    }
    return std::nullopt;
}

std::optional<std::size_t> previous_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                         std::size_t from) {
    if (stops.empty()) return std::nullopt;
    StopSet set(schedule, stops);
    for (std::size_t d = std::min(from, schedule.decisions.size() + 1); d-- > 1;) {
        if (set.stops_at(schedule.decisions[d - 1])) return d;
    }
    return std::nullopt;
}

}  // namespace splitscope
