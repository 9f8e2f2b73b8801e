// SPDX-License-Identifier: MIT
#include "engine/planning/placement_bounds.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "engine/models/placement/override_matcher.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Per backend: seconds per token of each weight's operation and of the operations after it, up to the next
/// one with a known location.
struct NodeTimes {
    std::vector<double> weights;  ///< [file tensor][backend]
    std::vector<double> caches;   ///< per block: operations after the write to its cache, on a device
    /// Per file tensor: the part of `weights` that follows on a device.
    std::vector<double> before_weight;
    std::vector<std::size_t> next_weight;  ///< read by the operations after them; kNone = no single one

    NodeTimes(const GgufFile& file, const Hardware& hardware, const ModelPlan& sample)
        : weights(file.tensors().size() * hardware.machine.backends.size()),
          caches(sample.layout->blocks),
          before_weight(file.tensors().size()),
          next_weight(file.tensors().size(), kNone),
          file_(file),
          hardware_(hardware),
          schedule_(*sample.decode->timed) {
        for (const PlacedCache& cache : sample.layout->caches)
            cache_blocks_.emplace(cache.tensor.name, cache.tensor.block);
        const Graph& graph = *schedule_.graph;
        const GraphView view(graph);
        // The weight that determines the current node's location.
        std::size_t weight = kNone;
        std::size_t block = kNone;
        for (const TensorId node : graph.nodes) {
            const Op op = view[node].op;
            if (const auto read = weight_of(view, node)) {
                block = kNone;
                if (weight != kNone) next_weight[weight] = *read;
                weight = *read;
                // Others read single rows, or are not placed by their weight.
                if (op == Op::mul_mat || op == Op::mul_mat_id || op == Op::mul)
                    add_weight(view, node, *read);
                else
                    weight = kNone;
                continue;
            }
            if (const auto written = cache_written(view, node)) {
                weight = kNone;
                block = *written;
                continue;
            }
            if (is_view_op(op)) continue;
            if (weight != kNone) add_following(view, node, weight);
            if (block < caches.size()) caches[block] += on_device(view, node);
        }
    }

 private:
    std::optional<std::size_t> weight_of(const GraphView& view, TensorId node) const {
        for (const TensorId source : view.sources(node)) {
            if (!source.valid() || !view[source].buffer.valid()) continue;
            if (const auto weight = file_.find_tensor(view[source].name)) return weight;
        }
        return std::nullopt;
    }

    std::optional<std::size_t> cache_written(const GraphView& view, TensorId node) const {
        const TensorId base = view[node].view_src;
        if (!base.valid() || is_view_op(view[node].op) || !view[base].buffer.valid()) return std::nullopt;
        const auto found = cache_blocks_.find(view[base].name);
        return found == cache_blocks_.end() ? std::nullopt
                                            : std::optional(static_cast<std::size_t>(found->second));
    }

    void add_weight(const GraphView& view, TensorId node, std::size_t weight) {
        const std::size_t backends = hardware_.machine.backends.size();
        for (std::size_t b = 0; b < backends; ++b)
            weights[weight * backends + b] += node_time(view, node, hardware_.devices[b], b + 1 == backends);
    }

    /// Minimum time of a node on a device; empty if the sample runs it on the CPU.
    double on_device(const GraphView& view, TensorId node) const {
        const std::size_t cpu = hardware_.machine.backends.size() - 1;
        if (schedule_.backend[node.index()].index() == cpu) return 0;
        // Cache bytes are counted with the caches.
        bool reads_cache = false;
        for (const TensorId source : view.sources(node)) {
            if (!source.valid()) continue;
            const TensorId base = view[source].view_src.valid() ? view[source].view_src : source;
            reads_cache = reads_cache || view[base].buffer.valid();
        }
        const EstimateAssumptions assumptions;
        if (reads_cache) {
            double start = assumptions.start_seconds(hardware_.devices[0], false);
            for (std::size_t b = 1; b < cpu; ++b)
                start = std::min(start, assumptions.start_seconds(hardware_.devices[b], false));
            return start;
        }
        double least = node_time(view, node, hardware_.devices[0], false);
        for (std::size_t b = 1; b < cpu; ++b)
            least = std::min(least, node_time(view, node, hardware_.devices[b], false));
        return least;
    }

    /// For weights on the CPU, a device may also take over.
    void add_following(const GraphView& view, TensorId node, std::size_t weight) {
        const double seconds = on_device(view, node);
        const std::size_t backends = hardware_.machine.backends.size();
        for (std::size_t b = 0; b + 1 < backends; ++b) weights[weight * backends + b] += seconds;
        before_weight[weight] += seconds;
    }

    const GgufFile& file_;
    const Hardware& hardware_;
    const Schedule& schedule_;
    std::map<std::string, std::int32_t> cache_blocks_;
};

}  // namespace

PlacementFlags flags_of(const PlacementFlags& flags, const PlacementChoice& choice) {
    PlacementFlags made = flags;
    made.gpu_layers = choice.gpu_layers;
    made.kv_offload = choice.kv_offload;
    made.op_offload = flags.op_offload && choice.op_offload;
    if (!choice.device_layers.empty())
        made.tensor_split.assign(choice.device_layers.begin(), choice.device_layers.end());
    add_cpu_experts(made.overrides, false, choice.cpu_expert_blocks);
    return made;
}

bool PlacementBounds::LayerCost::has_experts() const {
    return std::ranges::any_of(expert_bytes, [](std::uint64_t b) { return b > 0; });
}

PlacementBounds::PlacementBounds(const GgufFile& file, const Hardware& hardware, const PlacementFlags& flags,
                                 Generation generation, const ModelPlan& sample, const JobContext& job)
    : hardware_(hardware),
      flags_(flags),
      backends_(hardware.machine.backends.size()),
      blocks_(static_cast<std::int32_t>(sample.layout->blocks)),
      devices_(sample.layout->layers.devices()),
      costs_((static_cast<std::size_t>(blocks_) + 1) * backends_),
      base_bytes_(backends_),
      cache_bytes_(sample.layout->blocks) {
    const bool given = std::ranges::any_of(flags.tensor_split, [](float share) { return share != 0.0F; });
    divisible_ = devices_.size() > 1 && !given && flags.split_mode == SplitMode::layer;
    most_ = devices_.empty() ? 0 : blocks_ + 1;
    const NodeTimes times(file, hardware, sample);
    cache_node_seconds_ = times.caches;
    OverrideMatcher matcher(hardware.machine, {cpu_experts_rule()});
    std::vector<bool> expert;
    for (const GgufTensor& tensor : file.tensors()) expert.push_back(matcher.match(tensor.name).rule >= 0);

    if (sample.prompt) {
        const Graph& graph = *sample.prompt->simulation.schedule->graph;
        for (const TensorId node : graph.nodes)
            if (graph[node].name == "result_output") logits_bytes_ = byte_size(graph[node]);
    }

    // Operations after the experts return to the device if the next weight is there.
    std::vector<double> returns(file.tensors().size());
    for (std::size_t w = 0; w < returns.size(); ++w) {
        const std::size_t next = times.next_weight[w];
        if (expert[w] && next != kNone && !expert[next]) returns[w] = times.before_weight[w];
    }

    // A layout with everything on one device gives the cost of each layer there.
    ModelPlanner planner(file, nullptr, hardware, generation, ModelPlanner::Detail::figures);
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        job.check();
        PlacementFlags all = flags;
        all.gpu_layers = GpuLayers::all();
        all.tensor_split.assign(devices_.size(), 0.0F);
        all.tensor_split[d] = 1.0F;
        add_layers_on(file, planner.plan(all, job), devices_[d], times.weights, returns, expert);
    }
    PlacementFlags none = flags;
    none.gpu_layers = 0;
    const ModelPlan on_cpu = planner.plan(none, job);
    add_layers_on(file, on_cpu, BackendId(backends_ - 1), times.weights, returns, expert);
    for (const PlacedWeight& weight : on_cpu.layout->weights) {
        if (weight.layer < 0)
            base_bytes_[on_cpu.layout->buffers[weight.buffer].owner.index()] +=
                file.tensors()[weight.file_tensor].bytes;
    }
    base_bytes_.back() += sample.devices.back().output;
    for (const PlacedCache& cache : sample.layout->caches) {
        if (cache.tensor.block >= 0 && cache.tensor.block < blocks_)
            cache_bytes_[static_cast<std::size_t>(cache.tensor.block)] += cache.tensor.bytes;
    }
    // A device may also read host weights through its link.
    const EstimateAssumptions assumptions;
    for (std::size_t b = 0; b < backends_; ++b) {
        double rate = assumptions.memory_rate(hardware.devices[b]);
        for (std::size_t other = 0; b + 1 == backends_ && other < b; ++other)
            rate = std::max(rate, assumptions.link_rate(hardware.devices[other]));
        cache_seconds_.push_back(rate > 0 ? 1 / rate / std::max(flags.sequences, 1U) : 0);
    }
}

void PlacementBounds::add_layers_on(const GgufFile& file, const ModelPlan& placed, BackendId device,
                                    const std::vector<double>& seconds, const std::vector<double>& returns,
                                    const std::vector<bool>& expert) {
    const ModelLayout& layout = *placed.layout;
    const BackendId cpu(backends_ - 1);
    const auto layer_cost = [&](std::int32_t layer) -> LayerCost& {
        return costs_[static_cast<std::size_t>(layer) * backends_ + device.index()];
    };
    for (std::int32_t l = 0; l <= blocks_; ++l) {
        layer_cost(l).bytes.assign(backends_, 0);
        layer_cost(l).expert_bytes.assign(backends_, 0);
    }
    std::vector<bool> timed(file.tensors().size());
    for (const PlacedWeight& weight : layout.weights) {
        if (weight.layer < 0 || weight.layer > blocks_) continue;
        LayerCost& cost = layer_cost(weight.layer);
        const BackendId owner = layout.buffers[weight.buffer].owner;
        const std::uint64_t bytes = file.tensors()[weight.file_tensor].bytes;
        cost.bytes[owner.index()] += bytes;
        // Inputs shared by all blocks are timed once.
        const double here =
            timed[weight.file_tensor] ? 0 : seconds[weight.file_tensor * backends_ + owner.index()];
        timed[weight.file_tensor] = true;
        cost.seconds += here;
        if (weight.layer < blocks_ && expert[weight.file_tensor] && weight.rule < 0 && owner != cpu) {
            cost.expert_bytes[owner.index()] += bytes;
            cost.expert_seconds += seconds[weight.file_tensor * backends_ + cpu.index()] - here;
            if (weight.layer + 1 < blocks_) cost.expert_seconds += returns[weight.file_tensor];
        }
    }
    // On the CPU, an output layer without its own weights uses the embeddings.
    for (const PlacedWeight& weight : layout.weights) {
        if (weight.layer < 0 && !timed[weight.file_tensor])
            layer_cost(blocks_).seconds +=
                seconds[weight.file_tensor * backends_ + layout.buffers[weight.buffer].owner.index()];
    }
    // Blocks with experts leave the device and return; the last ones may not return.
    for (std::int32_t l = 0; l < blocks_; ++l) {
        LayerCost& cost = layer_cost(l);
        if (cost.has_experts())
            cost.expert_seconds += (l + 1 < blocks_ ? 2 : 1) * EstimateAssumptions().split_seconds;
    }
}

std::vector<BackendId> PlacementBounds::layer_backends(const PlacementChoice& choice) const {
    const LayerDevices layers(hardware_, flags_of(flags_, {choice.gpu_layers, 0, true, choice.device_layers}),
                              static_cast<std::uint32_t>(blocks_));
    std::vector<BackendId> out;
    for (std::int32_t l = 0; l <= blocks_; ++l) out.push_back(layers.backend_of(l));
    return out;
}

std::size_t PlacementBounds::expert_blocks() const {
    std::size_t count = 0;
    for (std::size_t first = 0; first < costs_.size(); first += backends_) {
        const std::span<const LayerCost> layer(costs_.data() + first, backends_);
        if (std::ranges::any_of(layer, [](const LayerCost& c) { return c.has_experts(); })) ++count;
    }
    return count;
}

void PlacementBounds::add_with_experts(const PlacementChoice& choice, std::size_t step,
                                       std::vector<BoundedChoice>& out) const {
    const std::vector<BackendId> where = layer_backends(choice);
    const BackendId cpu(backends_ - 1);
    BoundedChoice bounded;
    bounded.choice = choice;
    bounded.memory = base_bytes_;
    if (where.back() != cpu) bounded.memory[where.back().index()] += logits_bytes_;
    // The embeddings are read on the CPU.
    const double split_seconds = EstimateAssumptions().split_seconds;
    bounded.decode_seconds = (choice.gpu_layers > 0 ? 2 : 1) * split_seconds;
    for (std::size_t l = 0; l < where.size(); ++l) {
        const LayerCost& layer = cost(l, where[l]);
        for (std::size_t b = 0; b < backends_; ++b) bounded.memory[b] += layer.bytes[b];
        bounded.decode_seconds += layer.seconds;
        if (l >= cache_bytes_.size()) continue;
        const BackendId cache = choice.kv_offload ? where[l] : cpu;
        bounded.memory[cache.index()] += cache_bytes_[l];
        bounded.decode_seconds += static_cast<double>(cache_bytes_[l]) * cache_seconds_[cache.index()];
        if (cache != cpu) bounded.decode_seconds += cache_node_seconds_[l];
        // Round trip, unless the surrounding weights are on the cache's device as well.
        if (cache == cpu && where[l] != cpu && flags_.overrides.empty())
            bounded.decode_seconds += 2 * split_seconds;
    }
    out.push_back(bounded);
    std::size_t moved = 0;
    std::size_t last = 0;  ///< how many were moved in the last one listed
    for (std::size_t l = 0; l + 1 < where.size(); ++l) {
        const LayerCost& layer = cost(l, where[l]);
        if (!layer.has_experts()) continue;
        for (std::size_t b = 0; b < backends_; ++b) {
            bounded.memory[b] -= layer.expert_bytes[b];
            bounded.memory[cpu.index()] += layer.expert_bytes[b];
        }
        bounded.decode_seconds += layer.expert_seconds;
        bounded.choice.cpu_expert_blocks = static_cast<std::uint32_t>(l + 1);
        if (++moved % step != 0) continue;
        last = moved;
        out.push_back(bounded);
    }
    if (last < moved) out.push_back(bounded);
}

std::vector<std::uint32_t> PlacementBounds::filled(const PlacementChoice& choice,
                                                   const std::vector<double>& usable, bool from_last) const {
    const std::size_t count = devices_.size();
    const std::int32_t all = blocks_ + 1;
    const std::int32_t first =
        std::max((flags_.layer_rule == LayerRule::output_first ? all : blocks_) - choice.gpu_layers, 0);
    std::vector<std::uint32_t> out(count, 0);
    std::vector<double> left;
    for (const BackendId d : devices_) left.push_back(usable[d.index()]);
    std::size_t at = from_last ? count - 1 : 0;
    for (std::int32_t i = 0; i < choice.gpu_layers; ++i) {
        const std::int32_t l = from_last ? first + choice.gpu_layers - 1 - i : first + i;
        const auto layer = static_cast<std::size_t>(std::clamp(l, 0, blocks_));
        while (true) {
            const BackendId d = devices_[at];
            const LayerCost& there = cost(layer, d);
            double bytes = static_cast<double>(there.bytes[d.index()]);
            if (layer < choice.cpu_expert_blocks) bytes -= static_cast<double>(there.expert_bytes[d.index()]);
            if (choice.kv_offload && layer < cache_bytes_.size())
                bytes += static_cast<double>(cache_bytes_[layer]);
            const bool end = from_last ? at == 0 : at + 1 == count;
            if (end || bytes <= left[at]) {
                left[at] -= bytes;
                ++out[at];
                break;
            }
            at = from_last ? at - 1 : at + 1;
        }
    }
    return out;
}

namespace {

/// Number of ways to divide `layers` among `devices` such that no device is empty, unless all are.
double division_count(std::int32_t layers, std::size_t devices) {
    double ways = 1;
    for (std::size_t d = 1; d < devices; ++d)
        ways *= (layers + static_cast<double>(d)) / static_cast<double>(d);
    return ways;
}

/// Iterates over all divisions in order; false after the last.
bool next_division(std::vector<std::uint32_t>& parts) {
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
        const std::uint32_t behind = std::accumulate(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                     parts.end(), std::uint32_t{0});
        if (behind == 0) continue;
        ++parts[i];
        std::fill(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end(), 0U);
        parts.back() = behind - 1;
        return true;
    }
    return false;
}

/// 1 for all existing models; with many hundreds of blocks the number of choices would grow quadratically,
/// and the time to list them cubically.
std::size_t expert_step(const PlacementBounds& bounds) {
    constexpr std::size_t kMaxWork = 20'000'000;
    const auto layers = static_cast<std::size_t>(bounds.max_layers());
    return 1 + 2 * layers * layers * bounds.expert_blocks() / kMaxWork;
}

}  // namespace

ChoiceList bounded_choices(const PlacementBounds& bounds, const std::vector<double>& usable,
                           std::size_t max_choices, const JobContext& job) {
    ChoiceList list;
    list.expert_step = expert_step(bounds);
    const bool devices = bounds.max_layers() > 0;
    for (std::int32_t layers = bounds.max_layers(); layers >= 0; --layers) {
        for (const bool kv_offload : {true, false}) {
            if (!kv_offload && !devices) continue;
            job.check();
            bounds.add_with_experts({layers, 0, kv_offload, {}}, list.expert_step, list.choices);
        }
    }
    if (!bounds.divisible()) return list;
    const std::vector<BoundedChoice> undivided = list.choices;
    double ways = 0;
    for (const BoundedChoice& c : undivided)
        ways += division_count(c.choice.gpu_layers, bounds.devices().size());
    list.all_divisions = ways <= static_cast<double>(max_choices);
    if (list.all_divisions) {
        for (std::int32_t layers = bounds.max_layers(); layers > 0; --layers) {
            std::vector<std::uint32_t> parts(bounds.devices().size(), 0);
            parts.back() = static_cast<std::uint32_t>(layers);
            do {
                job.check();
                for (const bool kv_offload : {true, false})
                    bounds.add_with_experts({layers, 0, kv_offload, parts}, list.expert_step, list.choices);
            } while (next_division(parts));
        }
        return list;
    }
    for (const BoundedChoice& c : undivided) {
        job.check();
        std::set<std::vector<std::uint32_t>> seen;
        for (const bool from_last : {false, true}) {
            PlacementChoice choice = c.choice;
            choice.device_layers = bounds.filled(choice, usable, from_last);
            if (choice.gpu_layers == 0 || !seen.insert(choice.device_layers).second) continue;
            std::vector<BoundedChoice> with_experts;
            choice.cpu_expert_blocks = 0;
            bounds.add_with_experts(choice, list.expert_step, with_experts);
            const auto found = std::ranges::find_if(with_experts, [&](const BoundedChoice& e) {
                return e.choice.cpu_expert_blocks == c.choice.cpu_expert_blocks;
            });
            if (found != with_experts.end()) list.choices.push_back(*found);
        }
    }
    return list;
}

}  // namespace splitscope
