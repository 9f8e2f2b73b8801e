// SPDX-License-Identifier: MIT
#include "engine/planning/placement_bounds.hpp"

#include <algorithm>
#include <limits>

#include "engine/models/placement/override_matcher.hpp"

namespace splitscope {
namespace {

/// Seconds that reading each weight of the file takes per token, on each backend.
class WeightTimes {
 public:
    WeightTimes(const GgufFile& file, const Hardware& hardware, const PlannedGraph& decode)
        : backends_(hardware.machine.backends.size()), seconds_(file.tensors().size() * backends_) {
        const Graph& graph = *decode.simulation.schedule->graph;
        const GraphView view(graph);
        for (const TensorId node : graph.nodes) {
            const Op op = view[node].op;
            if (op != Op::mul_mat && op != Op::mul_mat_id && op != Op::mul) continue;
            for (const TensorId source : view.sources(node)) {
                if (!source.valid() || !view[source].buffer.valid()) continue;
                const auto weight = file.find_tensor(view[source].name);
                if (!weight) continue;
                for (std::size_t b = 0; b < backends_; ++b)
                    seconds_[*weight * backends_ + b] +=
                        node_time(view, node, hardware.devices[b], b + 1 == backends_);
                break;
            }
        }
    }

    double at(std::size_t weight, BackendId backend) const {
        return seconds_[weight * backends_ + backend.index()];
    }

 private:
    std::size_t backends_;
    std::vector<double> seconds_;
};

/// Seconds that reading all cells of the caches takes at least. Those of the host may also be read by a
/// device through its link.
double cache_time(const Hardware& hardware, const ModelPlan& placed, std::uint32_t sequences) {
    const EstimateAssumptions assumptions;
    const std::size_t cpu = hardware.machine.backends.size() - 1;
    double seconds = 0;
    for (const DevicePlan& device : placed.devices) {
        const std::size_t b = device.backend.index();
        double rate = hardware.devices[b].memory_bandwidth * assumptions.bandwidth_share;
        if (b == cpu) {
            for (std::size_t other = 0; other < cpu; ++other)
                rate = std::max(rate, hardware.devices[other].link_bandwidth * assumptions.link_share);
        }
        if (rate > 0) seconds += static_cast<double>(device.cache) / sequences / rate;
    }
    return seconds;
}

/// Adds the placements of one layer count: first without a rule for experts, then block by block.
void add_choices(const GgufFile& file, const Hardware& hardware, const ModelPlan& placed,
                 const WeightTimes& times, const std::vector<bool>& expert, PlacementChoice choice,
                 std::vector<BoundedChoice>& out) {
    const ModelLayout& layout = *placed.layout;
    const BackendId cpu(hardware.machine.backends.size() - 1);
    BoundedChoice bounded;
    bounded.choice = choice;
    for (const DevicePlan& d : placed.devices) bounded.memory.push_back(d.cache + d.output);
    constexpr double none = std::numeric_limits<double>::infinity();
    // A weight that was loaded twice is read in one of its places.
    std::vector<double> seconds(file.tensors().size(), none);
    std::vector<std::vector<std::size_t>> movable(layout.blocks);
    for (std::size_t w = 0; w < layout.weights.size(); ++w) {
        const PlacedWeight& weight = layout.weights[w];
        const BackendId owner = layout.buffers[weight.buffer].owner;
        bounded.memory[owner.index()] += file.tensors()[weight.file_tensor].bytes;
        double& time = seconds[weight.file_tensor];
        time = std::min(time, times.at(weight.file_tensor, owner));
        const bool in_block = weight.layer >= 0 && weight.layer < static_cast<std::int32_t>(layout.blocks);
        if (in_block && expert[weight.file_tensor] && weight.rule < 0 && owner != cpu)
            movable[static_cast<std::size_t>(weight.layer)].push_back(w);
    }
    bounded.decode_seconds = cache_time(hardware, placed, std::max(layout.flags.sequences, 1U));
    for (const double time : seconds)
        if (time != none) bounded.decode_seconds += time;
    out.push_back(bounded);
    for (std::size_t block = 0; block < movable.size(); ++block) {
        if (movable[block].empty()) continue;
        for (const std::size_t w : movable[block]) {
            const PlacedWeight& weight = layout.weights[w];
            const BackendId owner = layout.buffers[weight.buffer].owner;
            const std::uint64_t bytes = file.tensors()[weight.file_tensor].bytes;
            bounded.memory[owner.index()] -= bytes;
            bounded.memory[cpu.index()] += bytes;
            bounded.decode_seconds += times.at(weight.file_tensor, cpu) - times.at(weight.file_tensor, owner);
        }
        bounded.choice.cpu_expert_blocks = static_cast<std::uint32_t>(block + 1);
        out.push_back(bounded);
    }
}

}  // namespace

PlacementFlags flags_of(const PlacementFlags& flags, const PlacementChoice& choice) {
    PlacementFlags made = flags;
    made.gpu_layers = choice.gpu_layers;
    made.kv_offload = choice.kv_offload;
    for (OverrideRule& rule : cpu_experts_rules(choice.cpu_expert_blocks))
        made.overrides.push_back(std::move(rule));
    return made;
}

std::vector<BoundedChoice> bounded_choices(const GgufFile& file, const Hardware& hardware,
                                           const PlacementFlags& flags, Generation generation,
                                           const ModelPlan& sample, const JobContext& job) {
    const WeightTimes times(file, hardware, *sample.decode);
    OverrideMatcher matcher(hardware.machine, {cpu_experts_rule()});
    std::vector<bool> expert;
    for (const GgufTensor& tensor : file.tensors()) expert.push_back(matcher.match(tensor.name).rule >= 0);
    const bool devices = !sample.layout->layers.devices().empty();
    const std::int32_t most = devices ? static_cast<std::int32_t>(sample.layout->blocks) + 1 : 0;
    std::vector<BoundedChoice> out;
    for (std::int32_t layers = most; layers >= 0; --layers) {
        for (const bool kv_offload : {true, false}) {
            if (!kv_offload && !devices) continue;
            job.check();
            const PlacementChoice choice{layers, 0, kv_offload};
            const ModelPlan placed =
                plan_model(file, nullptr, hardware, flags_of(flags, choice), generation, job);
            add_choices(file, hardware, placed, times, expert, choice, out);
        }
    }
    return out;
}

}  // namespace splitscope
