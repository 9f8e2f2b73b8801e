// SPDX-License-Identifier: MIT
#include "engine/models/placement/place_model.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/models/placement/override_matcher.hpp"
#include "engine/models/placement/weight_candidates.hpp"
#include "engine/models/placement/weight_class.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Batch size below which the builder pins norms even if not everything is offloaded.
constexpr std::uint32_t kPinBelowTokens = 32;

/// A weight of the file with the layer for which it is loaded.
struct Wanted {
    std::size_t file_tensor;
    std::int32_t layer;
    WeightRole role;
    int rank;
    bool again = false;  ///< loaded again even if already there
};

/// The substitute for a missing output weight.
void add_output(const GgufFile& file, OutputWeight rule, std::int32_t blocks, std::vector<Wanted>& wanted) {
    const auto embedding = file.find_tensor("token_embd.weight");
    const auto own = file.find_tensor("output.weight");
    WeightRole output;
    output.kind = WeightClass::output;
    if (own) {
        // Also replaces missing token embeddings.
        if (!embedding && rule == OutputWeight::duplicated) wanted.push_back({*own, blocks, output, 1, true});
    } else if (embedding && rule != OutputWeight::none) {
        wanted.push_back({*embedding, blocks, output, 1, rule == OutputWeight::duplicated});
    }
}

/// Creation order of loaders: input and output layer, then the blocks.
std::vector<Wanted> wanted_weights(const GgufFile& file, std::int32_t blocks) {
    std::vector<Wanted> wanted;
    const auto& tensors = file.tensors();
    const std::string architecture = file.string_value("general.architecture").value_or("");
    const auto size = [&](const char* key) {
        const auto value = file.unsigned_value(fmt::format("{}.ssm.{}", architecture, key));
        return static_cast<std::int64_t>(std::min<std::uint64_t>(value.value_or(0), kMaxExtent));
    };
    const std::int64_t state = size("state_size");
    const std::int64_t inner = size("inner_size");
    const Architecture& row = architecture_or_default(architecture);
    const MemoryRules& rules = row.memory;
    const KnownTensors known(file, row);
    const std::vector<bool> slides = rules.own_window_factors
                                         ? sliding_blocks(file)
                                         : std::vector<bool>(static_cast<std::size_t>(blocks), false);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string& name = tensors[i].name;
        if (!known.loads(name)) continue;
        WeightRole role = weight_role(name, rules);
        role.scan_state = state;
        role.scan_inner = inner;
        if (role.in_every_block) {
            for (std::int32_t b = 0; b < blocks; ++b) {
                if (!slides[static_cast<std::size_t>(b)]) wanted.push_back({i, b, role, creation_rank(name)});
            }
        } else if (role.kind == WeightClass::block) {
            wanted.push_back({i, std::min(role.block, blocks - 1), role, creation_rank(name)});
        } else {
            const bool head = name == "output.weight";
            wanted.push_back({i, role.kind == WeightClass::input ? -1 : blocks, role, head ? 1 : 0});
        }
    }
    add_output(file, rules.output, blocks, wanted);
    const auto key = [blocks](const Wanted& w) {
        // Input layer, output layer, then the blocks.
        const std::int32_t layer = w.layer < 0 ? -2 : w.layer == blocks ? -1 : w.layer;
        return std::pair(layer, w.rank);
    };
    std::ranges::stable_sort(wanted, {}, key);
    return wanted;
}

}  // namespace

std::uint64_t allocated_bytes(const GgufTensor& tensor, const MachineBufferType& type) {
    std::uint64_t bytes = tensor.bytes + row_padding(type, tensor.type, tensor.ne[0]);
    if (type.alloc_pad > 1) bytes = (bytes + type.alloc_pad - 1) / type.alloc_pad * type.alloc_pad;
    return round_up(bytes, type.alignment);
}

namespace {

std::string_view title_of(BufferPurpose purpose) {
    switch (purpose) {
        case BufferPurpose::weights:
            return "weights";
        case BufferPurpose::cache:
            return "cache";
        case BufferPurpose::window_cache:
            return "window cache";
        case BufferPurpose::recurrent_state:
            return "state";
    }
    return "";
}

BufferPurpose purpose_of(CacheKind kind) {
    switch (kind) {
        case CacheKind::attention:
            return BufferPurpose::cache;
        case CacheKind::window:
            return BufferPurpose::window_cache;
        case CacheKind::recurrent:
            return BufferPurpose::recurrent_state;
    }
    return BufferPurpose::cache;
}

/// Assigns tensors to buffers, one buffer type after the other.
class BufferFiller {
 public:
    explicit BufferFiller(ModelLayout& layout) : layout_(layout) {}

    std::size_t place(BufferPurpose purpose, BufferTypeId type, BackendId owner, bool mapped,
                      std::uint64_t bytes) {
        const MachineBufferType& facts = layout_.machine.buffer_types[type.index()];
        const auto found = std::ranges::find_if(
            groups_, [&](const Group& g) { return g.purpose == purpose && g.type == type; });
        Group& group = found != groups_.end() ? *found : groups_.emplace_back(Group{purpose, type});
        const bool full = group.count > 0 && !mapped && facts.max_size &&
                          layout_.buffers[group.last].size + bytes > *facts.max_size;
        if (group.count == 0 || full) {
            group.last = layout_.buffers.size();
            ++group.count;
            std::string name = fmt::format("{} {}", facts.name, title_of(purpose));
            if (group.count > 1) name += fmt::format(" {}", group.count);
            layout_.machine.buffers.push_back(
                {name, type, purpose == BufferPurpose::weights ? BufferUsage::weights : BufferUsage::any});
            layout_.buffers.push_back({std::move(name), type, owner, purpose, mapped, 0, 0});
        }
        LayoutBuffer& buffer = layout_.buffers[group.last];
        buffer.size += bytes;
        buffer.used += bytes;
        return group.last;
    }

 private:
    struct Group {
        BufferPurpose purpose;
        BufferTypeId type;
        std::size_t last = 0;
        std::size_t count = 0;
    };
    ModelLayout& layout_;
    std::vector<Group> groups_;
};

std::optional<BufferTypeId> type_named(const Machine& machine, std::string_view name) {
    const auto found = std::ranges::find(machine.buffer_types, name, &MachineBufferType::name);
    if (found == machine.buffer_types.end()) return std::nullopt;
    return BufferTypeId(std::size_t(found - machine.buffer_types.begin()));
}

/// The name, with a number if the machine has a buffer type of that name.
std::string free_type_name(const Machine& machine, const std::string& name) {
    std::string free = name;
    for (std::size_t number = 2; type_named(machine, free); ++number)
        free = fmt::format("{}{}", name, number);
    return free;
}

/// The CPU's buffer type for mapped files; added to the machine if missing.
BufferTypeId mapped_type(const Hardware& hardware, Machine& machine) {
    MachineBackend& cpu = machine.backends.back();
    MachineBufferType type = machine.buffer_types[cpu.buffer_type.index()];
    type.name += "_Mapped";
    type.max_size = std::nullopt;
    if (const auto named = type_named(machine, type.name)) {
        const bool taken = *named == hardware.pinned_type || *named == hardware.repack_type ||
                           std::ranges::find(machine.backends, *named, &MachineBackend::buffer_type) !=
                               machine.backends.end();
        if (!taken && machine.buffer_types[named->index()].is_host) return *named;
    }
    type.name = free_type_name(machine, type.name);
    const BufferTypeId id(machine.buffer_types.size());
    machine.buffer_types.push_back(type);
    for (MachineBackend& backend : machine.backends) {
        const bool reads_host = std::ranges::find(backend.supports_buffer_types, cpu.buffer_type) !=
                                backend.supports_buffer_types.end();
        if (reads_host) backend.supports_buffer_types.push_back(id);
    }
    return id;
}

/// With the CPU's memory of interleaved weights, where its description has one. A device's pinned memory
/// comes before it, and mapped weights of pinned memory stay in the file (placement.md §3).
Hardware with_repacking(const Hardware& hardware, const PlacementFlags& flags) {
    Hardware with = hardware;
    Machine& machine = with.machine;
    MachineBackend& cpu = machine.backends.back();
    const bool uses_devices = !device_list(hardware, flags).empty();
    if (with.repack_type.valid() || cpu.repacks.empty() || (uses_devices && flags.pinned_host)) return with;
    MachineBufferType type = machine.buffer_types[cpu.buffer_type.index()];
    type.name = free_type_name(machine, type.name + "_REPACK");
    type.max_size = std::nullopt;
    // Not in the order of the file, so other backends cannot read it, nor does op offload take it over.
    type.is_host = false;
    with.repack_type = BufferTypeId(machine.buffer_types.size());
    cpu.supports_buffer_types.push_back(with.repack_type);
    machine.buffer_types.push_back(std::move(type));
    for (const std::string& name : cpu.repacks)
        if (const auto known = element_type_named(name)) with.repacked_types.insert(*known);
    return with;
}

void place_weights(const GgufFile& file, const Hardware& hardware, ModelLayout& layout,
                   const JobContext& job) {
    const PlacementFlags& flags = layout.flags;
    const WeightCandidates candidates(hardware, flags, layout.layers.devices());
    OverrideMatcher overrides(layout.machine, flags.overrides);
    BufferFiller filler(layout);
    const BufferTypeId cpu_type = layout.machine.backends.back().buffer_type;
    const BufferTypeId mapped = flags.memory_map ? mapped_type(hardware, layout.machine) : BufferTypeId();
    struct Span {
        std::uint64_t first = UINT64_MAX;
        std::uint64_t last = 0;
    };
    std::map<std::pair<std::size_t, std::uint32_t>, Span> spans;        // {buffer, part of the model}
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> loaded;  // {file tensor, buffer type}
    for (const Wanted& wanted : wanted_weights(file, static_cast<std::int32_t>(layout.blocks))) {
        job.check();
        const GgufTensor& tensor = file.tensors()[wanted.file_tensor];
        const BackendId device = wanted.role.kind == WeightClass::input
                                     ? layout.layers.cpu()
                                     : layout.layers.backend_of(wanted.layer);
        const OverrideMatcher::Match match = overrides.match(tensor.name);
        WeightCandidates::Choice choice;
        if (match.rule >= 0 && !match.cpu) {
            choice = {match.type, match.owner, false};
        } else {
            choice = candidates.choose(tensor, wanted.role, match.rule >= 0 ? layout.layers.cpu() : device);
        }
        if (flags.memory_map && choice.type == hardware.pinned_type) choice.type = cpu_type;
        const bool in_file = flags.memory_map && choice.type == cpu_type;
        const BufferTypeId type = in_file ? mapped : choice.type;
        const auto [entry, inserted] = loaded.try_emplace({wanted.file_tensor, type.index()});
        if (inserted || (wanted.again && !in_file)) {
            const std::uint64_t bytes = allocated_bytes(tensor, layout.machine.buffer_types[type.index()]);
            entry->second = filler.place(BufferPurpose::weights, type, choice.owner, in_file,
                                         in_file ? tensor.bytes : bytes);
            layout.weights.push_back(
                {wanted.file_tensor, wanted.layer, entry->second, match.rule, choice.moved});
        }
        if (in_file) {
            Span& span = spans[{entry->second, tensor.part}];
            span.first = std::min(span.first, tensor.offset);
            span.last = std::max(span.last, tensor.offset + tensor.bytes);
        }
        layout.weight_buffers[{tensor.name, wanted.layer}] = entry->second;
    }
    for (const auto& entry : spans) layout.buffers[entry.first.first].size = 0;
    for (const auto& [place, span] : spans) layout.buffers[place.first].size += span.last - span.first;
    // Repacking reads the pages between as well, and they stay.
    const bool repacks = std::ranges::any_of(layout.buffers, [&](const LayoutBuffer& buffer) {
        return hardware.repack_type.valid() && buffer.type == hardware.repack_type;
    });
    for (LayoutBuffer& buffer : layout.buffers)
        if (buffer.mapped && repacks) buffer.used = buffer.size;
    layout.rules = overrides.uses();

    for (const CacheTensor& cache : layout.cache_layout.tensors) {
        const BackendId owner =
            flags.kv_offload ? layout.layers.backend_of(cache.block) : layout.layers.cpu();
        const MachineBackend& backend = layout.machine.backends[owner.index()];
        const std::uint64_t alignment = layout.machine.buffer_types[backend.buffer_type.index()].alignment;
        const std::size_t buffer = filler.place(purpose_of(cache.kind), backend.buffer_type, owner, false,
                                                round_up(cache.bytes, alignment));
        layout.caches.push_back({cache, buffer});
        // If a block's tensors are in two buffers of the same type, graphs name the first.
        layout.cache_buffers.try_emplace(cache.block, buffer);
    }
}

PipelineCheck check_pipeline(const ModelLayout& layout, Generation generation) {
    const PlacementFlags& flags = layout.flags;
    if (flags.pipeline) return {true, msg::kPipelineAsked};
    if (layout.layers.devices().size() < 2) return {false, msg::kPipelineOneDevice};
    if (!layout.layers.everything()) return {false, msg::kPipelineNotAllLayers};
    if (flags.split_mode != SplitMode::layer) return {false, msg::kPipelineNotByLayer};
    if (!flags.kv_offload) return {false, msg::kPipelineCachesOnCpu};
    const bool overrides_matter = generation == Generation::g2025_06 || generation == Generation::g2026_08;
    if (overrides_matter && !flags.overrides.empty()) return {false, msg::kPipelineOverrides};
    for (std::size_t b = 0; b < layout.machine.backends.size(); ++b) {
        const MachineBackend& backend = layout.machine.backends[b];
        if (backend.device == DeviceKind::cpu || (backend.async && backend.events)) continue;
        if (!layout.machine.uses(BackendId(b))) continue;
        return {false,
                backend.async ? msg::kPipelineNoEvents(backend.name) : msg::kPipelineNoQueue(backend.name)};
    }
    return {true, msg::kPipelineOn};
}

}  // namespace

ModelLayout place_model_file(const GgufFile& file, const Hardware& given, const PlacementFlags& flags,
                             bool flash_attention, Generation generation, const JobContext& job,
                             bool values_in_rows) {
    require_main_gpu(given, flags, generation);
    const Hardware hardware = with_repacking(given, flags);
    const std::uint32_t blocks = block_count(file);
    ModelLayout layout{.machine = hardware.machine,
                       .layers = LayerDevices(hardware, flags, blocks),
                       .blocks = blocks,
                       .flash_attention = flash_attention,
                       .values_in_rows = values_in_rows,
                       .flags = flags,
                       .weights = {},
                       .cache_layout = cache_layout(file, flags, flash_attention || values_in_rows),
                       .caches = {},
                       .buffers = {},
                       .rules = {},
                       .pipeline = {},
                       .weight_buffers = {},
                       .cache_buffers = {}};
    layout.flags.embeddings |= embeds_text(file, generation);
    layout.machine.buffers.clear();
    layout.machine.assignments.clear();
    layout.machine.used = scheduled_backends(layout.machine, layout.layers.devices());
    layout.machine.op_offload = flags.op_offload;
    place_weights(file, hardware, layout, job);
    layout.pipeline = check_pipeline(layout, generation);
    layout.machine.parallel = layout.pipeline.on;
    return layout;
}

ModelPlacement ModelLayout::model_placement() const {
    ModelPlacement placement;
    placement.weight_buffer = [this](std::int32_t layer, const std::string& name) {
        if (const auto found = weight_buffers.find({name, layer}); found != weight_buffers.end())
            return buffers[found->second].name;
        const auto any = weight_buffers.lower_bound({name, INT32_MIN});
        if (any == weight_buffers.end() || any->first.first != name)
            throw Error(ErrorKind::internal, msg::kWeightNotInFile, name);
        return buffers[any->second].name;
    };
    placement.cache_buffer = [this](std::int32_t layer) {
        const auto found = cache_buffers.find(layer);
        if (found == cache_buffers.end())
            throw Error(ErrorKind::internal, msg::kBlockHasNoCache, msg::kBlock(layer));
        return buffers[found->second].name;
    };
    return placement;
}

void pin_nodes(const ModelGraph& model_graph, const ModelLayout& layout, Machine& machine) {
    const ModelGraphOptions& options = model_graph.options;
    const bool norms = options.tokens < kPinBelowTokens || layout.layers.everything();
    const auto block_of = [](std::string_view name) {
        std::int32_t number = 0;
        for (const char c : name.substr(name.rfind('-') + 1)) {
            if (c < '0' || c > '9' || number > 100'000) return -1;
            number = number * 10 + (c - '0');
        }
        return number;
    };
    const SimulatedMachine answering(std::make_shared<const Machine>(machine), &model_graph.graph);
    const GraphView view(model_graph.graph);
    for (const TensorId node : model_graph.graph.nodes) {
        const std::string& name = model_graph.graph[node].name;
        if (!norms || !(name.starts_with("norm-") || name.starts_with("l_last-"))) continue;
        const std::int32_t block = block_of(name);
        if (block < 0) continue;
        const BackendId device = layout.layers.backend_of(block);
        if (answering.live().backends[device.index()]->supports_op({view, node, {}}))
            machine.assignments.push_back({node, device});
    }
    if (!layout.flags.kv_offload) {
        for (const TensorId node : model_graph.plain_attentions)
            machine.assignments.push_back({node, layout.layers.cpu()});
    }
    std::ranges::sort(machine.assignments, {}, &Assignment::tensor);
}

}  // namespace splitscope
