// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"

namespace splitscope {

/// A machine and the objects that it describes, in the same order: the interface of scheduler and allocator
/// to simulated and real backends. Non-owning except for the description.
struct LiveMachine {
    std::shared_ptr<const Machine> machine;
    std::vector<BufferType*> buffer_types;  ///< one per Machine::buffer_types
    std::vector<Backend*> backends;         ///< one per Machine::backends
    /// Per entry of Machine::buffers: the backend whose compute buffer it is, or none. Used only by
    /// generation 2024-01, where users can place tensors there. Empty = all none.
    std::vector<BackendId> compute_buffer_of;

    BufferType& buffer_type_of(BackendId backend) const {
        return *buffer_types[machine->backends[backend.index()].buffer_type.index()];
    }
};

}  // namespace splitscope
