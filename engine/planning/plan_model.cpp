// SPDX-License-Identifier: MIT
#include "engine/planning/plan_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kPeakTensors = 8;

/// What the planning of one model needs again and again.
struct Planner {
    const Model& model;
    const Hardware& hardware;
    const ModelLayout& layout;
    Generation generation;
    const JobContext& job;

    PlannedGraph plan(std::uint32_t tokens) const;
};

std::uint32_t vocabulary_rows(const PlacementFlags& flags, std::uint32_t tokens) {
    return std::min(tokens, std::max(flags.batch, 1U));
}

std::vector<std::vector<PeakTensor>> peaks_of(const Simulation& simulation, std::size_t backends) {
    std::vector<std::vector<PeakTensor>> peaks(backends);
    if (simulation.plan->error || simulation.schedule->error) return peaks;
    for (const BufferTimeline& timeline : usage_timelines(*simulation.plan)) {
        if (!timeline.buffer.valid() || timeline.buffer.index() >= backends) continue;
        auto& list = peaks[timeline.buffer.index()];
        for (const std::size_t index : timeline.live_at_peak) {
            const MemoryBlock& block = timeline.blocks[index];
            const Tensor& tensor = simulation.schedule->tensor(block.tensor);
            list.push_back({tensor.name, std::string(name_of(tensor.op)), block.size});
        }
        std::ranges::stable_sort(list, std::ranges::greater{}, &PeakTensor::bytes);
        if (list.size() > kPeakTensors) list.resize(kPeakTensors);
    }
    return peaks;
}

PlannedGraph Planner::plan(std::uint32_t tokens) const {
    const CacheLayout& cache = layout.cache_layout;
    ModelGraphOptions options;
    options.form = generation == Generation::g2026_08 ? GraphForm::g2026_08 : GraphForm::g2025_02;
    options.tokens = tokens;
    options.cells = options.context = cache.context.cells;
    options.first_cell = options.cells - std::min(tokens, options.cells);
    options.window_cells = options.window_context = cache.window_cells;
    options.outputs = vocabulary_rows(layout.flags, tokens);
    options.flash_attention = layout.flash_attention;
    options.cache_type_k = layout.flags.cache_type_k;
    options.cache_type_v = layout.flags.cache_type_v;
    job.check();
    const ModelGraph model_graph = model.build_graph(options, layout.model_placement());
    auto machine = std::make_shared<Machine>(layout.machine);
    pin_nodes(model_graph, layout, *machine);
    auto graph = std::make_shared<const Graph>(model_graph.graph);

    PlannedGraph out;
    out.tokens = tokens;
    out.nodes = graph->nodes.size();
    out.simulation = simulate(graph, machine, generation, job);
    const Schedule& schedule = *out.simulation.schedule;
    out.splits = schedule.splits.size();
    for (const Split& split : schedule.splits) {
        for (const TensorId input : split.inputs) {
            const auto bytes = static_cast<std::uint64_t>(input_bytes_copied(schedule, split, input));
            out.copied_bytes += bytes;
            const BufferRef buffer = (*graph)[input].buffer;
            if (!buffer.valid()) continue;
            const auto found =
                std::ranges::find(machine->buffers, graph->buffers[buffer.index()], &MachineBuffer::name);
            if (found != machine->buffers.end() && found->usage == BufferUsage::weights)
                out.uploaded_weight_bytes += bytes;
        }
    }
    out.compute_bytes.assign(machine->backends.size(), 0);
    for (std::size_t b = 0; b < std::min(out.compute_bytes.size(), out.simulation.plan->buffers.size()); ++b)
        out.compute_bytes[b] = out.simulation.plan->buffers[b].size;
    out.peaks = peaks_of(out.simulation, machine->backends.size());
    out.cost = estimate(schedule, hardware);
    return out;
}

/// A device that was to compute a block's attention and does not, if there is one.
std::optional<std::string> attention_elsewhere(const PlannedGraph& planned, const ModelLayout& layout) {
    const Schedule& schedule = *planned.simulation.schedule;
    std::int32_t block = 0;
    for (const TensorId node : schedule.graph->nodes) {
        if ((*schedule.graph)[node].op != Op::flash_attn_ext) continue;
        const BackendId device = layout.layers.backend_of(block);
        const BackendId computed = schedule.backend[node.index()];
        if (computed.valid() && computed != device) {
            return fmt::format("block {} is on {} but its attention is computed on {}", block,
                               layout.machine.backends[device.index()].name,
                               layout.machine.backends[computed.index()].name);
        }
        ++block;
    }
    return std::nullopt;
}

void sum_devices(const Hardware& hardware, const GgufFile& file, ModelPlan& plan) {
    const ModelLayout& layout = *plan.layout;
    for (std::size_t b = 0; b < layout.machine.backends.size(); ++b) {
        DevicePlan device;
        device.backend = BackendId(b);
        device.name = layout.machine.backends[b].name;
        if (const DeviceFacts* facts = hardware.facts(device.backend)) device.memory = facts->memory_free;
        for (const auto* graph : {&plan.prompt, &plan.decode})
            if (*graph) device.compute = std::max(device.compute, (*graph)->compute_bytes[b]);
        plan.devices.push_back(std::move(device));
    }
    for (const LayoutBuffer& buffer : layout.buffers) {
        DevicePlan& device = plan.devices[buffer.owner.index()];
        // Of a mapped file only the pages that are used take memory.
        const std::uint64_t bytes = buffer.mapped ? buffer.used : buffer.size;
        (buffer.purpose == BufferPurpose::weights ? device.weights : device.cache) += bytes;
    }
    if (const auto embedding = file.find_tensor("token_embd.weight")) {
        const auto rows =
            static_cast<std::uint64_t>(std::max<std::int64_t>(file.tensors()[*embedding].ne[1], 0));
        plan.devices.back().output = 4 * rows * std::max(layout.flags.sequences, 1U);
    }
}

}  // namespace

bool ModelPlan::fits() const {
    return std::ranges::all_of(devices, [](const DevicePlan& d) { return d.fits(); });
}

ModelPlan plan_model(const GgufFile& file, const Model* model, const Hardware& hardware,
                     const PlacementFlags& flags, Generation generation, const JobContext& job) {
    validate(hardware.machine);
    ModelPlan plan;
    bool flash = flags.flash_attention != FlashAttention::off;
    const bool quantised_v = traits_of(flags.cache_type_v).block_elements > 1;
    if (quantised_v && !flash) {
        throw Error(ErrorKind::usage, "a quantised V cache needs flash attention", "--cache-type-v",
                    "switch flash attention on, or use f16");
    }
    const auto place = [&] {
        plan.layout =
            std::make_shared<const ModelLayout>(place_model_file(file, hardware, flags, flash, generation));
    };
    place();
    if (model != nullptr) {
        const std::uint32_t prompt_tokens =
            std::min(plan.layout->cache_layout.context.micro_batch, plan.layout->cache_layout.context.cells);
        try {
            job.report(0.1, "Building the one-token graph");
            plan.decode = Planner{*model, hardware, *plan.layout, generation, job}.plan(1);
            const auto elsewhere = attention_elsewhere(*plan.decode, *plan.layout);
            if (flash && elsewhere && flags.flash_attention == FlashAttention::automatic && !quantised_v) {
                plan.notes.push_back("Flash attention is off: " + *elsewhere + ".");
                flash = false;
                place();
                plan.decode = Planner{*model, hardware, *plan.layout, generation, job}.plan(1);
            }
            job.report(0.5, "Building the prompt graph");
            plan.prompt = Planner{*model, hardware, *plan.layout, generation, job}.plan(prompt_tokens);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled) throw;
            plan.decode.reset();
            plan.prompt.reset();
            plan.notes.push_back(fmt::format("No graphs: {}.", error.problem()));
        }
    } else {
        plan.notes.push_back(fmt::format(
            "There is no graph builder for the architecture '{}': compute buffers, splits, copies and "
            "speed are not known; weights and caches are.",
            file.string_value("general.architecture").value_or("")));
    }
    for (const auto* graph : {&plan.prompt, &plan.decode}) {
        if (!*graph) continue;
        const Simulation& simulation = (*graph)->simulation;
        if (simulation.schedule->error)
            plan.notes.push_back("Scheduling ends early: " + simulation.schedule->error->message);
        else if (simulation.plan->error)
            plan.notes.push_back("Planning memory ends early: " + *simulation.plan->error);
    }
    if (flags.split_mode == SplitMode::row)
        plan.notes.push_back("Split mode 'row' is planned as 'layer': rows of a weight are not divided.");
    if (flags.sequences > 1) plan.notes.push_back("Graphs are those of one sequence.");
    for (const std::string& note : plan.layout->cache_layout.notes) plan.notes.push_back(note);
    sum_devices(hardware, file, plan);
    return plan;
}

}  // namespace splitscope
