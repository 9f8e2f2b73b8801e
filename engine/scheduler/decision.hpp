// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/interface/machine.hpp"
#include "backends/interface/op_support.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Passes in execution order. `user` holds assignments made before the first pass. 2024-01 has no p5: its p3
/// is p4 of the others, and its p4 splits.
enum class Pass : std::uint8_t { user, p1, p2_1, p2_2, p2_3, p2_4, p3, p4, p5 };

/// "usr", "1", "2.1" … "5".
std::string_view name_of(Pass pass);

/// The rule behind a decision: the labels of scheduler.md §2.
enum class CauseKind : std::uint8_t {
    none,    ///< ""
    usr,     ///< user's assignment
    dst,     ///< 1.dst   already resides in a buffer
    vsrc1,   ///< 1.vsrc  the tensor it views resides in a buffer
    inp,     ///< 1.inp   flagged input → CPU
    off,     ///< 1.off   weights on the CPU; a higher-priority backend offers to run the op
    wgt,     ///< 1.wgt<i> follows the weights in source i
    sup,     ///< 2.sup   spread from a neighbour that supports the op
    best,    ///< 3.best  backend that can use most sources
    upg,     ///< 3.upg   moved to a higher-priority backend with the same buffer type
    vsrc4,   ///< 4.vsrc  takes the backend of the tensor it views
    cur4,    ///< 4.cur   takes the backend of the first node that reads it
    cpy,     ///< 4.cpy   created as a copy, or serves as its own current copy
    sweep1,  ///< 2.1 … 2.4: spread of generation 2024-01
    sweep2,
    sweep3,
    sweep4,
    vsrc3,  ///< 3.vsrc  generation 2024-01
    cur3,   ///< 3.cur   generation 2024-01
};

struct Cause {
    CauseKind kind = CauseKind::none;
    std::uint8_t source = 0;  ///< i of 1.wgt<i>
    friend bool operator==(const Cause&, const Cause&) = default;
};

/// The label as in ggml, e.g. "1.wgt0", or "".
std::string label_of(Cause cause);

/// A backend that refused, either by buffer type or by operation.
struct Refusal {
    BackendId backend;
    bool buffer_type_refused = false;  ///< cannot use tensors in Evidence::buffer_type
    OpSupport op;                      ///< the operation rule, when the buffer type was not the reason
};

/// The facts behind a decision, as data. Fields that do not apply are "none".
struct Evidence {
    TensorId via;  ///< weight, view source, reading node, or neighbour the backend came from
    std::int8_t source_slot = -1;
    BufferTypeId buffer_type;          ///< of the buffer that decided
    std::int32_t usable_sources = -1;  ///< 3.best: how many sources the backend can use
    std::uint32_t first_refusal = 0;   ///< range in Schedule::refusals
    std::uint32_t refusal_count = 0;
};

/// One decision; `to` may be none (scheduler.md §2).
struct Decision {
    Pass pass = Pass::p1;
    Cause cause;
    TensorId tensor;
    BackendId from;
    BackendId to;
    Evidence evidence;
};

}  // namespace splitscope
