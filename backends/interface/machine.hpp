// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
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

/// How a backend determines the batch size of an operation for op offload (placement.md §8).
enum class OffloadRule { format_default, g2024_10, g2026_08 };

struct MachineBufferType {
    std::string name;
    std::uint64_t alignment = 1;
    std::optional<std::uint64_t> max_size;
    bool is_host = false;
    std::uint64_t alloc_pad = 0;  ///< 0 = none
    /// The rows of a quantised tensor end with padding to a multiple of this many elements; 0 = none.
    std::uint32_t row_pad = 0;
    /// Compute capability of an NVIDIA device, times 100. For some, attention kernels need F16 copies of keys
    /// and values after the result; 0 = no copies.
    std::uint32_t compute_capability = 0;
    friend bool operator==(const MachineBufferType&, const MachineBufferType&) = default;
};

/// Bytes of padding after a tensor with rows of this many elements (placement.md §5).
std::uint64_t row_padding(const MachineBufferType& type, ElementType elements, std::int64_t row);

inline constexpr std::int64_t kMaxComputeCapability = 10'000;

struct MachineBuffer {
    std::string name;
    BufferTypeId buffer_type;
    BufferUsage usage = BufferUsage::any;
    friend bool operator==(const MachineBuffer&, const MachineBuffer&) = default;
};

/// An operation that is refused if one of these types occurs among node and sources.
struct UnsupportedPair {
    std::string op;
    std::vector<std::string> types;
    friend bool operator==(const UnsupportedPair&, const UnsupportedPair&) = default;
};

/// Head sizes of keys and values that a device's attention supports.
struct AttentionHeads {
    std::int64_t keys = 0;
    std::int64_t values = 0;
    /// Keys are shared by at least two heads of queries, a multiple of this number; 0 = any number.
    std::int64_t groups = 0;
    friend bool operator==(const AttentionHeads&, const AttentionHeads&) = default;
};

struct MachineBackend {
    std::string name;
    DeviceKind device = DeviceKind::cpu;
    /// The kind of backend that computes for it (BackendRegistry::kind_of); empty = simulated, computed by
    /// the CPU.
    std::string kind;
    BufferTypeId buffer_type;
    std::vector<BufferTypeId> supports_buffer_types;
    std::vector<std::string> unsupported_ops;    ///< names; unknown ones are kept but have no effect
    std::vector<std::string> unsupported_types;  ///< names; unknown ones are kept but have no effect
    std::vector<UnsupportedPair> unsupported;
    std::optional<std::int64_t> offload_min_batch;
    OffloadRule offload_rule = OffloadRule::format_default;
    std::optional<std::uint64_t> max_tensor;  ///< size limit in bytes for any tensor of an operation
    /// State sizes that SSM_SCAN accepts (one decay per head, heads a multiple of 16); empty = any state.
    std::vector<std::int64_t> scan_states;
    /// MUL_MAT and MUL_MAT_ID need sources with equal fourth dimensions.
    bool equal_batches = false;
    /// Copies of quantised tensors need a contiguous source and result, products contiguous rows.
    bool contiguous_blocks = false;
    /// MUL_MAT_ID is not supported in full precision.
    bool half_experts = false;
    /// FLASH_ATTN_EXT needs both keys and values in BF16, or neither.
    bool unmixed_bf16 = false;
    /// The number of streams that operations on residual streams accept; 0 = any.
    std::int64_t residual_streams = 0;
    /// Types of keys and values that FLASH_ATTN_EXT accepts, both of the same type; empty = any type.
    std::vector<std::string> attention_types;
    std::vector<AttentionHeads> attention_heads;  ///< empty = any
    /// Types of weights that the CPU copies, interleaved, into separate memory.
    std::vector<std::string> repacks;
    /// The backend reorders the nodes of a split: ordered_for_fusion().
    bool reorders = false;
    /// It claims every op and forwards it to another machine, which may not support it.
    bool claims_all = false;
    std::map<std::int64_t, bool> supports;  ///< recorded answers by node index; they override all rules
    bool async = false;
    bool events = false;
    friend bool operator==(const MachineBackend&, const MachineBackend&) = default;
};

struct Assignment {
    TensorId tensor;
    BackendId backend;
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// A machine as data (formats.md): all properties that scheduling uses. Simulated backends are created from
/// it; real backends can be described by it.
struct Machine {
    std::string name;
    std::vector<MachineBufferType> buffer_types;
    std::vector<MachineBuffer> buffers;
    std::vector<MachineBackend> backends;
    /// The backends that the scheduler gets, in priority order, the CPU last; empty = all, as listed. Devices
    /// that a program does not use have no part in scheduling.
    std::vector<BackendId> used;
    bool parallel = false;
    bool op_offload = true;
    std::vector<Assignment> assignments;

    friend bool operator==(const Machine&, const Machine&) = default;
    /// The backends that the scheduler gets.
    std::vector<BackendId> scheduled() const {
        std::vector<BackendId> all = used;
        for (std::size_t b = 0; used.empty() && b < backends.size(); ++b) all.emplace_back(b);
        return all;
    }
    /// Whether the scheduler gets the backend.
    bool uses(BackendId backend) const {
        return used.empty() || std::find(used.begin(), used.end(), backend) != used.end();
    }
};

/// After backends were inserted, removed or moved: new_place[old] is the index of each, or -1. Assignments to
/// removed ones are dropped.
void follow_backends(Machine& machine, std::span<const int> new_place);

}  // namespace splitscope
