// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A backend that refused, and the rule.
struct WhyRefusal {
    BackendId backend;
    Message reason;
};

/// A backend of higher priority that was not chosen for a tensor on the last backend.
struct WhyNot {
    BackendId backend;
    bool refused = false;  ///< queried and refused; otherwise it was not queried
    Message rule;          ///< the reason, as a phrase
};

/// A change that would move the tensor.
struct WhyChange {
    Message text;       ///< one sentence
    TensorId tensor;    ///< a tensor to look at, if any
    BackendId backend;  ///< a device to edit, if any
};

/// One decision with its evidence.
struct WhyStep {
    std::size_t number = 0;  ///< index in Schedule::decisions
    Pass pass = Pass::p1;
    BackendId from;
    BackendId to;
    std::string label;        ///< e.g. "1.wgt0"
    Message explanation;      ///< one sentence
    TensorId via;             ///< the tensor from which the backend was taken, if any
    Message via_role;         ///< role of `via`: "weights in source 0", "view source", …
    std::string buffer_type;  ///< of the buffer that decided; may be empty
    std::optional<int> usable_sources;
    Message rule;  ///< the override that placed the weight, as a phrase; may be empty
    std::vector<WhyRefusal> refusals;
};

struct WhySource {
    TensorId tensor;
    int slot = 0;
    BackendId backend;    ///< after the last pass
    bool copied = false;  ///< read through a copy
};

/// Everything about the placement of one tensor, as data; rendered by panels.
struct WhyStory {
    TensorId tensor;
    BackendId backend;  ///< after the last pass
    SplitId split;
    std::string buffer;       ///< if pre-allocated; may be empty
    std::string buffer_type;  ///< of that buffer
    std::vector<WhyStep> steps;
    std::vector<WhySource> sources;
    std::vector<TensorId> readers;
    std::vector<WhyNot> not_on;  ///< per backend of higher priority, for nodes on the last backend
    std::vector<WhyChange> changes;
    bool claimed = false;  ///< its backend takes every operation unasked (MachineBackend::claims_all)
};

/// O(decisions + nodes).
WhyStory explain_placement(const Analysis& analysis, TensorId tensor);

}  // namespace splitscope::ui
