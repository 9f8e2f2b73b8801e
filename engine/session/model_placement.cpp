// SPDX-License-Identifier: MIT
#include "engine/session/model_placement.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "backends/blas/blas_support.hpp"
#include "backends/vulkan/vulkan_machine.hpp"

namespace splitscope {
namespace {

constexpr std::uint32_t kDefaultContextLimit = 4096;
/// Cells are read in multiples of this (placement.md §6).
constexpr std::uint32_t kCellMultiple = 256;

/// Up to here a full-precision cache costs nothing worth saving.
constexpr std::uint64_t kSmallCacheBytes = std::uint64_t{16} << 20;

/// F32 while the whole cache stays small, else F16 as the reference engine defaults to.
ElementType default_cache_type(const ModelShape& shape, std::uint32_t cells) {
    const std::uint64_t row = std::uint64_t{shape.embedding} * shape.kv_heads / std::max(shape.heads, 1U);
    return row * shape.layers * cells * 2 * sizeof(float) <= kSmallCacheBytes ? ElementType::f32
                                                                              : ElementType::f16;
}

/// The buffer of the backend's type for this purpose, added to the machine when it is new.
std::string buffer_name(Machine& machine, BackendId backend, std::string_view purpose, BufferUsage usage) {
    const BufferTypeId type = machine.backends[backend.index()].buffer_type;
    const std::string name = fmt::format("{} {}", machine.buffer_types[type.index()].name, purpose);
    if (std::ranges::find(machine.buffers, name, &MachineBuffer::name) == machine.buffers.end()) {
        machine.buffers.push_back({name, type, usage});
    }
    return name;
}

}  // namespace

LayerPlacement::LayerPlacement(const Machine& machine, std::uint32_t layers, std::int32_t gpu_layers)
    : cpu_(machine.backends.size() - 1) {
    for (std::size_t b = 0; b + 1 < machine.backends.size(); ++b) {
        if (machine.backends[b].device == DeviceKind::gpu) accelerators_.emplace_back(b);
    }
    const auto all = static_cast<std::int32_t>(layers) + 1;
    const std::int32_t wanted = gpu_layers < 0 ? (all + 1) / 2 : std::min(gpu_layers, all);
    accelerated_ = accelerators_.empty() ? 0 : wanted;
    first_ = std::max(all - wanted, 0);
}

BackendId LayerPlacement::backend_of(std::int32_t layer) const {
    if (layer < first_ || layer - first_ >= accelerated_) return cpu_;
    const auto share = static_cast<float>(layer - first_) / static_cast<float>(accelerated_);
    const auto devices = static_cast<float>(accelerators_.size());
    std::size_t device = 0;
    while (device + 1 < accelerators_.size() && static_cast<float>(device + 1) / devices <= share) ++device;
    return accelerators_[device];
}

std::uint32_t context_cells(const Session& session) {
    const std::uint32_t trained = std::max<std::uint32_t>(session.file->model->shape().context, 1);
    const std::uint32_t wanted = session.model_options.context > 0 ? session.model_options.context
                                                                   : std::min(trained, kDefaultContextLimit);
    return (wanted + kCellMultiple - 1) / kCellMultiple * kCellMultiple;
}

ModelGraphOptions graph_options(const Session& session) {
    const ModelOptions& wanted = session.model_options;
    ModelGraphOptions options;
    options.context = context_cells(session);
    options.cells = options.context;
    options.tokens = wanted.kind == GraphKind::prefill ? std::clamp(wanted.batch, 1U, options.context) : 1;
    options.outputs = 1;
    options.form = session.generation == Generation::g2026_08 ? GraphForm::g2026_08 : GraphForm::g2025_02;
    options.first_cell = options.cells - options.tokens;
    options.flash_attention = wanted.flash_attention;
    const ElementType cache =
        wanted.cache_type.value_or(default_cache_type(session.file->model->shape(), options.context));
    options.cache_type_k = cache;
    options.cache_type_v = cache;
    return options;
}

PlacedModel place_model(const Session& session, const ModelGraphOptions& options) {
    const Model& model = *session.file->model;
    Machine machine = session.machine;
    const LayerPlacement layers(machine, model.shape().layers, session.model_options.gpu_layers);
    ModelPlacement placement;
    placement.weight_buffer = [&](std::int32_t layer, const std::string&) {
        return buffer_name(machine, layers.backend_of(layer), "weights", BufferUsage::weights);
    };
    placement.cache_buffer = [&](std::int32_t layer) {
        return buffer_name(machine, layers.backend_of(layer), "cache", BufferUsage::any);
    };
    if (session.generation == Generation::g2024_01) {
        placement.input_buffer =
            buffer_name(machine, BackendId(machine.backends.size() - 1), "inputs", BufferUsage::any);
    }
    ModelGraph graph = model.build_graph(options, placement);
    record_blas_support(machine, graph.graph);
    record_vulkan_support(machine, graph.graph);
    return {std::move(graph), std::move(machine)};
}

}  // namespace splitscope
