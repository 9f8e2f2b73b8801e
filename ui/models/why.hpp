// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A backend that was asked and refused, and by which rule.
struct WhyRefusal {
    BackendId backend;
    Message reason;
};

/// A backend of higher priority that a tensor on the last backend did not get.
struct WhyNot {
    BackendId backend;
    bool refused = false;  ///< it was asked and said no; else it was never asked
    Message rule;          ///< why, one phrase
};

/// Something that would change where the tensor runs.
struct WhyChange {
    Message text;       ///< one sentence
    TensorId tensor;    ///< what to look at, if something
    BackendId backend;  ///< the device to edit, if one
};

/// One decision on the tensor with what it rests on.
struct WhyStep {
    std::size_t number = 0;  ///< index in Schedule::decisions
    Pass pass = Pass::p1;
    BackendId from;
    BackendId to;
    std::string label;        ///< e.g. "1.wgt0"
    Message explanation;      ///< one sentence
    TensorId via;             ///< the tensor the backend came from, if one
    Message via_role;         ///< what `via` is: "weights in source 0", "view source", …
    std::string buffer_type;  ///< of the buffer that decided; may be empty
    std::optional<int> usable_sources;
    std::vector<WhyRefusal> refusals;
};

struct WhySource {
    TensorId tensor;
    int slot = 0;
    BackendId backend;    ///< after the last pass
    bool copied = false;  ///< read through a copy
};

/// Everything there is to say about where one tensor went, as data: panels and tests render it.
struct WhyStory {
    TensorId tensor;
    BackendId backend;  ///< after the last pass
    SplitId split;
    std::string buffer;       ///< pre-allocated in; may be empty
    std::string buffer_type;  ///< of that buffer
    std::vector<WhyStep> steps;
    std::vector<WhySource> sources;
    std::vector<TensorId> readers;
    std::vector<WhyNot> not_on;  ///< per backend of higher priority, for nodes on the last backend
    std::vector<WhyChange> changes;
};

/// Linear in the number of decisions and nodes.
WhyStory tell_why(const Analysis& analysis, TensorId tensor);

}  // namespace splitscope::ui
