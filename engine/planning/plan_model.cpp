// SPDX-License-Identifier: MIT
#include "engine/planning/plan_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kPeakTensors = 8;

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

PlannedGraph planned(PlacedGraph placed, const Hardware& hardware, std::uint32_t tokens) {
    PlannedGraph out;
    out.tokens = tokens;
    out.simulation = std::move(placed.simulation);
    const Schedule& schedule = *out.simulation.schedule;
    const Graph& graph = *schedule.graph;
    const Machine& machine = *placed.machine;
    out.nodes = graph.nodes.size();
    out.splits = schedule.splits.size();
    for (const Split& split : schedule.splits) {
        for (const TensorId input : split.inputs) {
            const std::uint64_t bytes = byte_size(graph[input]);
            out.copied_bytes += bytes;
            const BufferRef buffer = graph[input].buffer;
            if (!buffer.valid()) continue;
            const auto found =
                std::ranges::find(machine.buffers, graph.buffers[buffer.index()], &MachineBuffer::name);
            if (found != machine.buffers.end() && found->usage == BufferUsage::weights)
                out.uploaded_weight_bytes += bytes;
        }
    }
    out.compute_bytes.assign(machine.backends.size(), 0);
    for (std::size_t b = 0; b < std::min(out.compute_bytes.size(), out.simulation.plan->buffers.size()); ++b)
        out.compute_bytes[b] = out.simulation.plan->buffers[b].size;
    out.peaks = peaks_of(out.simulation, machine.backends.size());
    out.cost = estimate(schedule, hardware);
    return out;
}

/// Compute buffers of the prompt graph without pipelining.
std::vector<std::uint64_t> compute_of_one_copy(const Model& model, const Hardware& hardware,
                                               const ModelPlan& plan, Generation generation,
                                               const JobContext& job) {
    ModelLayout layout = *plan.layout;
    layout.machine.parallel = false;
    const PlacedGraph placed = place_graph(
        model, hardware, layout, worst_case(layout, generation, plan.prompt->tokens), generation, {}, job);
    std::vector<std::uint64_t> bytes;
    for (const auto& buffer : placed.simulation.plan->buffers) bytes.push_back(buffer.size);
    return bytes;
}

/// `single`: compute buffers without pipelining, empty when it is off.
void sum_devices(const Hardware& hardware, const GgufFile& file, const std::vector<std::uint64_t>& single,
                 ModelPlan& plan) {
    const ModelLayout& layout = *plan.layout;
    for (std::size_t b = 0; b < layout.machine.backends.size(); ++b) {
        DevicePlan device;
        device.backend = BackendId(b);
        device.name = layout.machine.backends[b].name;
        if (const DeviceFacts* facts = hardware.facts(device.backend)) device.memory = facts->memory_free;
        for (const auto* graph : {&plan.prompt, &plan.decode})
            if (*graph) device.compute = std::max(device.compute, (*graph)->compute_bytes[b]);
        if (b < single.size() && device.compute > single[b]) device.pipeline = device.compute - single[b];
        if (layout.machine.op_offload) device.offload_from = layout.machine.backends[b].offload_min_batch;
        plan.devices.push_back(std::move(device));
    }
    for (const LayoutBuffer& buffer : layout.buffers) {
        DevicePlan& device = plan.devices[buffer.owner.index()];
        (buffer.purpose == BufferPurpose::weights ? device.weights : device.cache) += buffer.bytes();
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
    const auto place = [&](std::uint32_t tokens) {
        return place_graph(*model, hardware, *plan.layout, worst_case(*plan.layout, generation, tokens),
                           generation, {}, job);
    };
    DecidedLayout decided;
    std::vector<std::uint64_t> single;
    if (model != nullptr) {
        try {
            job.report(0.1, "Building the one-token graph");
            decided = decide_layout(file, model, hardware, flags, generation, job);
            plan.layout = decided.layout;
            if (!decided.note.empty()) plan.notes.push_back(decided.note);
            plan.decode = planned(decided.decode ? std::move(*decided.decode) : place(1), hardware, 1);
            job.report(0.5, "Building the prompt graph");
            const std::uint32_t tokens = prompt_tokens_at_once(*plan.layout);
            plan.prompt = planned(place(tokens), hardware, tokens);
            if (plan.layout->machine.parallel)
                single = compute_of_one_copy(*model, hardware, plan, generation, job);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled || error.kind() == ErrorKind::usage) throw;
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
    if (plan.layout == nullptr)
        plan.layout = decide_layout(file, nullptr, hardware, flags, generation, job).layout;
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
    sum_devices(hardware, file, single, plan);
    return plan;
}

ModelPlan plan_session(const Session& session, const JobContext& job) {
    const Model& model = *session.file->model;
    return plan_model(model.file(), &model, hardware_of(session), placement_flags(session),
                      session.generation, job);
}

}  // namespace splitscope
