// SPDX-License-Identifier: MIT
#include "engine/session/model_placement.hpp"

#include <algorithm>
#include <utility>

#include "backends/interface/known_names.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/placement/override_matcher.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::uint32_t kDefaultContextLimit = 4096;
/// Up to this size, a full-precision cache is cheap.
constexpr std::uint64_t kSmallCacheBytes = std::uint64_t{16} << 20;

/// F32 for small caches, else F16, llama.cpp's default.
ElementType default_cache_type(const ModelShape& shape, std::uint32_t cells) {
    const std::uint64_t row = std::uint64_t{shape.embedding} * shape.kv_heads / std::max(shape.heads, 1U);
    return row * shape.layers * cells * 2 * sizeof(float) <= kSmallCacheBytes ? ElementType::f32
                                                                              : ElementType::f16;
}

}  // namespace

std::uint32_t context_cells(const Session& session) {
    const std::uint32_t trained = std::max<std::uint32_t>(session.file->model->shape().context, 1);
    const std::uint32_t wanted = session.model_options.context > 0 ? session.model_options.context
                                                                   : std::min(trained, kDefaultContextLimit);
    return (wanted + kCellMultiple - 1) / kCellMultiple * kCellMultiple;
}

PlacementFlags placement_flags(const ModelOptions& options, const GgufFile& file, const Machine& machine,
                               Generation generation) {
    PlacementFlags flags;
    flags.gpu_layers = options.gpu_layers;
    // llama.cpp has no word for half of them.
    if (flags.gpu_layers == GpuLayers::half())
        flags.gpu_layers = flags.gpu_layers.of(static_cast<std::int32_t>(block_count(file)) + 1);
    flags.devices = options.accelerators;
    flags.split_mode = options.split_mode;
    flags.main_gpu = options.main_gpu;
    flags.tensor_split = options.tensor_split;
    flags.overrides = options.overrides;
    add_cpu_experts(flags.overrides, options.cpu_experts, options.cpu_expert_blocks);
    flags.kv_offload = options.kv_offload;
    if (options.cache_type) flags.cache_type_k = flags.cache_type_v = *options.cache_type;
    if (options.cache_type_v) flags.cache_type_v = *options.cache_type_v;
    flags.context = options.context;
    flags.batch = options.logical_batch;
    flags.micro_batch = options.batch;
    flags.sequences = options.sequences;
    flags.embeddings = options.embeddings || embeds_text(file, generation);
    flags.pooling = options.pooling;
    flags.unified_cache = options.unified_cache;
    flags.results_per_sequence = options.results_per_sequence;
    flags.full_window_cache = options.full_window_cache;
    flags.flash_attention = !options.flash_attention               ? FlashAttention::off
                            : options.flash_attention_if_supported ? FlashAttention::automatic
                                                                   : FlashAttention::on;
    flags.op_offload = machine.op_offload;
    flags.pipeline = machine.parallel;
    flags.memory_map = options.memory_map;
    flags.repack = options.repack;
    flags.pinned_host = options.pinned_host;
    flags.layer_rule = layer_rule_of(generation);
    return flags;
}

PlacementFlags placement_flags(const Session& session) {
    ModelOptions options = session.model_options;
    const Model& model = *session.file->model;
    if (!options.cache_type) options.cache_type = default_cache_type(model.shape(), context_cells(session));
    if (options.context == 0) options.context = context_cells(session);
    return placement_flags(options, model.file(), session.machine, session.generation);
}

Hardware hardware_of(Machine machine, const std::map<std::string, DeviceFacts>& devices,
                     const BackendKinds& kinds) {
    Hardware hardware;
    std::vector<bool> described;
    bool real = false;
    for (const MachineBackend& backend : machine.backends) {
        const auto found = devices.find(backend.name);
        hardware.devices.push_back(found == devices.end() ? DeviceFacts{} : found->second);
        // Presets use their family's table, even if the program has such a device.
        described.push_back(!hardware.devices.back().preset.empty());
        real = real || (!described.back() && kinds != nullptr && kinds->kind_of(backend) != nullptr);
    }
    if (real) {
        hardware.record_support = [described = std::move(described), kinds](Machine& asked,
                                                                            const Graph& graph) {
            record_support(asked, *kinds, graph, described);
        };
    }
    hardware.machine = std::move(machine);
    return hardware;
}

Hardware hardware_of(const Session& session) {
    return hardware_of(session.machine, session.devices, session.kinds);
}

std::int32_t accelerated_layers(const Session& session) {
    try {
        const std::uint32_t layers = session.file->model->shape().layers;
        return LayerDevices(hardware_of(session), placement_flags(session), layers).accelerated();
    } catch (const Error&) {
        return 0;
    }
}

std::vector<RuleUse> override_uses(const Session& session, const JobContext& job) {
    OverrideMatcher matcher(session.machine, placement_flags(session).overrides);
    for (const GgufTensor& tensor : session.file->model->file().tensors()) {
        job.check();
        matcher.match(tensor.name);
    }
    return matcher.uses();
}

ModelOptions default_options(Program program, Generation generation, const GgufFile& file,
                             const Machine& machine) {
    const bool metal = std::ranges::any_of(
        machine.backends, [](const MachineBackend& backend) { return offloads_by_default(backend.name); });
    const PlacementFlags flags = default_flags(program, generation, metal);
    ModelOptions options;
    options.gpu_layers = flags.gpu_layers;
    options.context = flags.context > 0 ? flags.context : std::max(trained_context(file), 1U);
    options.logical_batch = flags.batch;
    options.batch = flags.micro_batch;
    options.flash_attention = flags.flash_attention != FlashAttention::off;
    options.flash_attention_if_supported = flags.flash_attention == FlashAttention::automatic;
    options.cache_type = flags.cache_type_k;
    options.sequences = flags.sequences;
    options.unified_cache = flags.unified_cache;
    options.results_per_sequence = flags.results_per_sequence;
    return options;
}

void use_defaults(Session& session, Program program) {
    if (!session.file || !session.file->model) return;
    const GraphKind kind = session.model_options.kind;
    session.model_options =
        default_options(program, session.generation, session.file->model->file(), session.machine);
    session.model_options.kind = kind;
}

std::optional<Program> program_with_defaults(const Session& session) {
    if (!session.file || !session.file->model) return std::nullopt;
    for (const Program program : kPrograms) {
        Session usual = session;
        use_defaults(usual, program);
        if (usual.model_options == session.model_options) return program;
    }
    return std::nullopt;
}

}  // namespace splitscope
