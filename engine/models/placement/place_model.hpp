// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/model.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/models/placement/layer_devices.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "engine/support/generation.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

enum class BufferPurpose : std::uint8_t { weights, cache, window_cache, recurrent_state };

/// A buffer that is allocated before any graph.
struct LayoutBuffer {
    std::string name;  ///< also the name in the machine
    BufferTypeId type;
    BackendId owner;  ///< the backend whose memory it is
    BufferPurpose purpose = BufferPurpose::weights;
    bool mapped = false;     ///< pages of the model file
    std::uint64_t size = 0;  ///< bytes of the buffer; of a mapped one the span in the file
    std::uint64_t used = 0;  ///< sum of the tensors; with repacking, of all pages that were read
    /// Resident memory: for a mapped file, only the pages in use.
    std::uint64_t bytes() const { return mapped ? used : size; }
};

/// The buffer of a weight. A tensor that was loaded several times has several entries.
struct PlacedWeight {
    std::size_t file_tensor = 0;
    std::int32_t layer = 0;  ///< -1 = input layer, 0 … blocks, one past = output layer
    std::size_t buffer = 0;  ///< into ModelLayout::buffers
    std::int32_t rule = -1;  ///< index of the deciding override in ModelLayout::rules; -1 = none
    bool moved = false;      ///< the first candidate was refused
};

struct PlacedCache {
    CacheTensor tensor;
    std::size_t buffer = 0;
};

/// An override with its effect.
struct RuleUse {
    OverrideRule rule;
    std::size_t decided = 0;   ///< tensors it placed
    std::size_t shadowed = 0;  ///< tensors it matched but an earlier rule had placed
    std::int32_t shadowed_by = -1;
};

/// Why pipelining is on or off (placement.md §8).
struct PipelineCheck {
    bool on = false;
    Message reason;
};

/// The buffer of every weight and cache of a model, as ggml assigns them.
struct ModelLayout {
    Machine machine;  ///< with the buffers below and with the flags' pipelining and offloading
    LayerDevices layers;
    std::uint32_t blocks = 0;
    bool flash_attention = false;
    bool values_in_rows = false;  ///< ModelGraphOptions::values_in_rows
    std::vector<Op> unfused{};    ///< ModelGraphOptions::unfused
    PlacementFlags flags;
    std::vector<PlacedWeight> weights;  ///< in creation order
    CacheLayout cache_layout;
    std::vector<PlacedCache> caches;
    std::vector<LayoutBuffer> buffers;
    std::vector<RuleUse> rules;
    PipelineCheck pipeline;

    /// Input of graph builders; refers to this object.
    ModelPlacement model_placement() const;

    std::map<std::pair<std::string, std::int32_t>, std::size_t> weight_buffers;  ///< {name, layer} → buffer
    std::map<std::int32_t, std::size_t> cache_buffers;                           ///< block → buffer
};

/// Bytes of a tensor in a buffer of this type, with its padding.
std::uint64_t allocated_bytes(const GgufTensor& tensor, const MachineBufferType& type);

/// Throws Error(usage) for unknown devices or buffer types in the flags, Error(bad_file) for invalid files.
ModelLayout place_model_file(const GgufFile& file, const Hardware& hardware, const PlacementFlags& flags,
                             bool flash_attention, Generation generation, const JobContext& job = {},
                             bool values_in_rows = false);

/// Appends the graph builder's assignments to `machine.assignments` (placement.md §8): norms and
/// mixed residuals to their block's device if it supports them, attention results to the CPU if the caches
/// are there. Sorted by tensor.
void pin_nodes(const ModelGraph& graph, const ModelLayout& layout, Machine& machine);

}  // namespace splitscope
