// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

enum class CallKind {
    compute,  ///< nodes `first` … `last`
    synchronize,
    copy_async,  ///< `first` → `last`, called on the destination's backend
    set_async,
    get_async,
    record_event,
    wait_event,
    synchronize_event,  ///< by the host
};

/// A call of a simulated backend.
struct Call {
    CallKind kind = CallKind::compute;
    std::string backend;
    TensorId first;
    TensorId last;
    int event = -1;  ///< number of the event, in order of creation
    friend bool operator==(const Call&, const Call&) = default;
};

/// All calls of a simulated machine's backends, in order.
struct CallLog {
    std::vector<Call> calls;
    int events = 0;
};

}  // namespace splitscope
