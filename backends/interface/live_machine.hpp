// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"

namespace splitscope {

/// A machine together with the objects it describes, in the same order. What the scheduler and the allocator
/// ask; simulated backends and real ones look alike here. Non-owning except for the description.
struct LiveMachine {
    std::shared_ptr<const Machine> machine;
    std::vector<BufferType*> buffer_types;  ///< one per Machine::buffer_types
    std::vector<Backend*> backends;         ///< one per Machine::backends
    /// Per Machine::buffers: the backend whose own compute buffer it is, or none. Only generation 2024-01
    /// looks at it, where users can place tensors there. Empty = none is.
    std::vector<BackendId> compute_buffer_of;

    BufferType& buffer_type_of(BackendId backend) const {
        return *buffer_types[machine->backends[backend.index()].buffer_type.index()];
    }
};

}  // namespace splitscope
