// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/buffer.hpp"
#include "backends/interface/device.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Index into Machine::backends: priority order, lower is higher. Default-constructed = none.
using BackendId = StrongId<struct BackendTag>;
/// Index into Machine::buffer_types.
using BufferTypeId = StrongId<struct BufferTypeTag>;

/// How a backend counts the batch of an operation when it offers to take it over (placement.md §8).
enum class OffloadRule { format_default, g2024_10, g2026_08 };

struct MachineBufferType {
    std::string name;
    std::uint64_t alignment = 1;
    std::optional<std::uint64_t> max_size;
    bool is_host = false;
    std::uint64_t alloc_pad = 0;  ///< 0 = none
    /// Rows of quantised weights are padded to a multiple of so many elements; 0 = they are not.
    std::uint32_t row_pad = 0;
    friend bool operator==(const MachineBufferType&, const MachineBufferType&) = default;
};

struct MachineBuffer {
    std::string name;
    BufferTypeId buffer_type;
    BufferUsage usage = BufferUsage::any;
    friend bool operator==(const MachineBuffer&, const MachineBuffer&) = default;
};

/// An operation refused only with one of these types among node and sources.
struct UnsupportedPair {
    std::string op;
    std::vector<std::string> types;
    friend bool operator==(const UnsupportedPair&, const UnsupportedPair&) = default;
};

struct MachineBackend {
    std::string name;
    DeviceKind device = DeviceKind::cpu;
    /// The kind of backend that computes for it where this program has it (BackendRegistry::kind_of); empty =
    /// it is described here and computed by the CPU.
    std::string kind;
    BufferTypeId buffer_type;
    std::vector<BufferTypeId> supports_buffer_types;
    std::vector<std::string> unsupported_ops;    ///< names; unknown ones are kept and ignored
    std::vector<std::string> unsupported_types;  ///< names; unknown ones are kept and ignored
    std::vector<UnsupportedPair> unsupported;
    std::optional<std::int64_t> offload_min_batch;
    OffloadRule offload_rule = OffloadRule::format_default;
    std::optional<std::uint64_t> max_tensor;  ///< bytes of the largest tensor an operation may touch
    /// Sizes of the states that SSM_SCAN takes, with one decay per head and heads of multiples of 16; empty =
    /// any state.
    std::vector<std::int64_t> scan_states;
    /// It computes the nodes of a split in an order of its own: reordered_for_fusion().
    bool reorders = false;
    std::map<std::int64_t, bool> supports;  ///< node index → recorded answer; wins over every rule
    bool async = false;
    bool events = false;
    friend bool operator==(const MachineBackend&, const MachineBackend&) = default;
};

struct Assignment {
    TensorId tensor;
    BackendId backend;
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// A machine as data (formats.md): everything scheduling needs to know about it. Simulated backends are made
/// from one, and real backends can be described by one.
struct Machine {
    std::string name;
    std::vector<MachineBufferType> buffer_types;
    std::vector<MachineBuffer> buffers;
    std::vector<MachineBackend> backends;
    bool parallel = false;
    bool op_offload = true;
    std::vector<Assignment> assignments;

    friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace splitscope
