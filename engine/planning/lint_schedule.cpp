// SPDX-License-Identifier: MIT
#include "engine/planning/lint_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "backends/interface/machine_buffers.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/messages/messages.hpp"
#include "engine/planning/messages.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using Findings = std::vector<Finding>;

std::string format_seconds(double seconds) {
    return format_duration(std::llround(seconds * 1e9));
}

/// All detours of one operation from one device.
struct Detours {
    std::size_t count = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;
    TensorId first;
    SplitId split;
};

/// The operation of a split without weights and caches, which only a refusal can have moved.
std::optional<TensorId> stray_operation(const Schedule& schedule, const Split& split) {
    const Graph& graph = *schedule.graph;
    std::optional<TensorId> first;
    for (std::size_t p = split.start; p < split.end; ++p) {
        const TensorId node = graph.nodes[p];
        const Tensor& t = graph[node];
        if (is_view_op(t.op)) continue;
        if (!first) first = node;
        for (const TensorId source : t.src)
            if (source.valid() && graph[source].buffer.valid()) return std::nullopt;
    }
    return first;
}

/// Why a device does not run an operation: the index of its refusal, if it was asked.
std::optional<std::size_t> refusal_of(const std::vector<Summary::Fallback>& fallbacks, Op op,
                                      BackendId device) {
    const auto found = std::ranges::find_if(
        fallbacks, [&](const Summary::Fallback& f) { return f.op == op && f.refused_by == device; });
    if (found == fallbacks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - fallbacks.begin());
}

/// Whether a node reads or writes the KV cache, or applies a mask: cache types and flash attention determine
/// which operation it needs.
bool belongs_to_attention(const ScheduledGraph& g, TensorId node) {
    const Graph& graph = *g.schedule.graph;
    const Tensor& t = graph[node];
    if (t.op == Op::flash_attn_ext || (t.op == Op::soft_max && t.src[1].valid())) return true;
    const auto buffers = machine_buffers(g.machine, graph);
    const auto is_cache = [&](TensorId tensor) {
        if (!tensor.valid()) return false;
        const Tensor& base = graph[graph[tensor].is_view() ? graph[tensor].view_src : tensor];
        if (!base.buffer.valid() || buffers[base.buffer.index()] == nullptr ||
            buffers[base.buffer.index()]->usage == BufferUsage::weights)
            return false;
        return g.layout == nullptr || std::ranges::none_of(g.layout->caches, [&](const PlacedCache& cache) {
                   return cache.tensor.kind == CacheKind::recurrent && cache.tensor.name == base.name;
               });
    };
    return is_cache(node) || std::ranges::any_of(t.src, is_cache);
}

/// What can change a device's refusal of a node.
Message remedy_of_refusal(const ScheduledGraph& g, TensorId node, const Summary::Fallback* refused) {
    if (belongs_to_attention(g, node)) return msg::kChooseSupportedCaches;
    const Graph& graph = *g.schedule.graph;
    const bool of_type = refused != nullptr && (refused->refusal.rule == RefusalRule::type ||
                                                refused->refusal.rule == RefusalRule::op_with_type);
    const bool of_weights = std::ranges::any_of(
        graph[node].src, [&](TensorId source) { return source.valid() && graph[source].buffer.valid(); });
    return of_type && of_weights ? msg::kChooseSupportedTypes : msg::kUseSupportingDevice;
}

/// Includes refused operations that do not return to the device: at the end, or next to other CPU nodes.
/// `reported`: those that are part of a detour.
void check_fallbacks(const ScheduledGraph& g, const std::vector<Summary::Fallback>& fallbacks,
                     const std::vector<bool>& reported, Findings& out) {
    for (std::size_t i = 0; i < fallbacks.size(); ++i) {
        if (reported[i]) continue;
        const Summary::Fallback& fallback = fallbacks[i];
        const Tensor& first = (*g.schedule.graph)[fallback.first];
        out.push_back(
            {Severity::warning,
             "cpu-fallback",
             msg::kFallback(fallback.count, name_of(fallback.op)),
             Message::list({fallback.reason(g.schedule), msg::kFirstIs(first.name)}, msg::kSemicolon),
             remedy_of_refusal(g, fallback.first, &fallback),
             fallback.first,
             {},
             g.title});
    }
}

/// Marks the fallbacks that it reports.
void check_detours(const ScheduledGraph& g, const std::vector<Summary::Fallback>& fallbacks,
                   std::vector<bool>& reported, Findings& out) {
    const Schedule& schedule = g.schedule;
    const BackendId cpu(g.machine.backends.size() - 1);
    std::map<std::pair<Op, BackendId>, Detours> detours;
    for (std::size_t s = 1; s + 1 < schedule.splits.size(); ++s) {
        const BackendId before = schedule.splits[s - 1].backend;
        if (schedule.splits[s].backend != cpu || before == cpu || schedule.splits[s + 1].backend == cpu)
            continue;
        const auto node = stray_operation(schedule, schedule.splits[s]);
        if (!node) continue;
        Detours& found = detours[{(*schedule.graph)[*node].op, before}];
        if (found.count++ == 0) {
            found.first = *node;
            found.split = SplitId(s);
        }
        for (const std::size_t with : {s, s + 1}) {
            for (const TensorId input : schedule.splits[with].inputs)
                found.bytes += byte_size((*schedule.graph)[input]);
            if (g.cost.is_reliable()) found.seconds += g.cost.splits[with].copy_seconds;
        }
        if (g.cost.is_reliable()) found.seconds += g.cost.splits[s].compute_seconds;
    }
    for (const auto& [key, found] : detours) {
        const auto& [op, backend] = key;
        const std::string& device = g.machine.backends[backend.index()].name;
        const auto refusal = refusal_of(fallbacks, op, backend);
        if (refusal) reported[*refusal] = true;
        Message cause = Message::list(
            {refusal ? fallbacks[*refusal].reason(schedule) : msg::kDoesNotRun(device),
             msg::kFirstIs((*schedule.graph)[found.first].name),
             g.cost.is_reliable() ? msg::kDetourTakes(found.bytes, format_seconds(found.seconds))
                                  : msg::kDetourCopies(found.bytes)},
            msg::kSemicolon);
        out.push_back({Severity::warning, "cpu-detour",
                       found.count > 1 ? msg::kDetours(name_of(op), found.count, device)
                                       : msg::kDetour(name_of(op), device),
                       std::move(cause),
                       remedy_of_refusal(g, found.first, refusal ? &fallbacks[*refusal] : nullptr),
                       found.first, found.split, g.title});
    }
}

/// Splits that ended because their input list was full, followed by a split on the same device.
void check_input_limit(const ScheduledGraph& g, Findings& out) {
    const SchedulerPolicy& policy = scheduler_policy(g.schedule.generation);
    std::size_t full = 0;
    std::size_t first = 0;
    for (std::size_t s = 0; s + 1 < g.schedule.splits.size(); ++s) {
        const Split& split = g.schedule.splits[s];
        if (split.backend != g.schedule.splits[s + 1].backend ||
            split.inputs.size() < policy.max_split_inputs || policy.split_inputs_grow)
            continue;
        if (full++ == 0) first = s;
    }
    if (full == 0) return;
    out.push_back({Severity::note, "split-input-limit", msg::kSplitsEndEarly(full, first),
                   msg::kMaxInputs(policy.max_split_inputs), msg::kKeepTogether, TensorId(), SplitId(first),
                   g.title});
}

/// Bytes that cross a link for each graph because of where weights and caches lie.
struct Crossing {
    std::uint64_t uploaded_weights = 0;  ///< from the CPU's memory to devices
    std::uint64_t fetched_weights = 0;   ///< from devices
    std::uint64_t caches = 0;            ///< from the CPU's memory to attention on devices
    double cache_seconds = 0;
    TensorId uploaded;  ///< the first of the weights
    TensorId fetched;
    TensorId attention;
    SplitId uploading;
    SplitId fetching;
    SplitId attending;
};

/// The flash attention of a split that reads the tensor.
TensorId attention_of(const Graph& graph, const Split& split, TensorId cache) {
    for (std::size_t p = split.start; p < split.end; ++p) {
        const Tensor& node = graph[graph.nodes[p]];
        if (node.op == Op::flash_attn_ext && std::ranges::find(node.src, cache) != node.src.end())
            return graph.nodes[p];
    }
    return {};
}

Crossing crossing(const Schedule& schedule, const Machine& machine, const Estimate* cost = nullptr) {
    const Graph& graph = *schedule.graph;
    const auto buffers = machine_buffers(machine, graph);
    const BackendId cpu(machine.backends.size() - 1);
    Crossing found;
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        bool caches = false;
        for (const TensorId input : split.inputs) {
            const Tensor& tensor = graph[input];
            // Attention reads views of the caches.
            const BufferRef buffer = tensor.is_view() ? graph[tensor.view_src].buffer : tensor.buffer;
            if (!buffer.valid() || buffers[buffer.index()] == nullptr) continue;
            const MachineBuffer& owner = *buffers[buffer.index()];
            const bool host = owner.buffer_type == machine.backends[cpu.index()].buffer_type ||
                              machine.buffer_types[owner.buffer_type.index()].is_host;
            const std::uint64_t bytes = byte_size(graph[input]);
            if (owner.usage == BufferUsage::weights && tensor.is_view()) continue;
            if (owner.usage == BufferUsage::weights && host) {
                if (found.uploaded_weights == 0) {
                    found.uploaded = input;
                    found.uploading = SplitId(s);
                }
                found.uploaded_weights += bytes;
            } else if (owner.usage == BufferUsage::weights) {
                if (found.fetched_weights == 0) {
                    found.fetched = input;
                    found.fetching = SplitId(s);
                }
                found.fetched_weights += bytes;
            } else if (host && split.backend != cpu) {
                const TensorId attention = attention_of(graph, split, input);
                if (!attention.valid()) continue;
                if (!found.attention.valid()) {
                    found.attention = attention;
                    found.attending = SplitId(s);
                }
                found.caches += bytes;
                caches = true;
            }
        }
        if (caches && cost != nullptr && cost->is_reliable())
            found.cache_seconds += cost->splits[s].copy_seconds;
    }
    return found;
}

Message remedy_of_uploads(const ScheduledGraph& g) {
    return g.upload_remedy.empty() ? Message(msg::kTryNoOffload) : g.upload_remedy;
}

/// Why caches in the CPU's memory are copied to attention on devices, and what to do about it.
std::pair<Message, Message> cause_of_cache_uploads(const ScheduledGraph& g, const Crossing& found) {
    if (g.layout == nullptr) return {msg::kCachesAreOnCpu, msg::kPlaceCachesThere};
    if (!g.layout->flags.kv_offload) return {msg::kAttentionReadsCaches, msg::kKeepCachesOnDevices};
    if (g.machine.op_offload && found.uploaded_weights > 0)
        return {msg::kOffloadMovesAttention, remedy_of_uploads(g)};
    if (g.layout->flags.overrides.empty()) return {msg::kCachesAreOnCpu, msg::kPlaceCachesThere};
    return {msg::kOverridesMoveAttention, msg::kMoveLayersOrRules};
}

void check_crossing(const ScheduledGraph& g, Findings& out) {
    const Crossing found = crossing(g.schedule, g.machine, &g.cost);
    const auto used_elsewhere = [&](TensorId weight, SplitId split) {
        const Graph& graph = *g.schedule.graph;
        return msg::kUsedElsewhere(graph[weight].name, graph.buffers[graph[weight].buffer.index()],
                                   g.machine.backends[g.schedule.splits[split.index()].backend.index()].name);
    };
    if (found.uploaded_weights > 0 && !g.machine.op_offload) {
        out.push_back({Severity::warning, "weights-uploaded",
                       msg::kWeightsCross(found.uploaded_weights, g.title),
                       used_elsewhere(found.uploaded, found.uploading), msg::kPlaceWhereUsed, found.uploaded,
                       found.uploading});
    } else if (found.uploaded_weights > 0) {
        std::vector<Message> causes{msg::kDevicesOffload};
        for (std::size_t b = 0; b < g.machine.backends.size(); ++b) {
            const MachineBackend& backend = g.machine.backends[b];
            if (backend.offload_min_batch && g.machine.uses(BackendId(b)))
                causes.push_back(msg::kFromBatches(backend.name, *backend.offload_min_batch));
        }
        out.push_back({Severity::warning, "weights-uploaded",
                       msg::kWeightsCross(found.uploaded_weights, g.title),
                       Message::list(std::move(causes), msg::kComma), remedy_of_uploads(g)});
    }
    if (found.fetched_weights > 0) {
        out.push_back({Severity::warning, "weights-fetched",
                       msg::kWeightsFetched(found.fetched_weights, g.title),
                       used_elsewhere(found.fetched, found.fetching), msg::kPlaceWhereUsed, found.fetched,
                       found.fetching});
    }
    if (found.caches > 0) {
        auto [cause, remedy] = cause_of_cache_uploads(g, found);
        if (found.cache_seconds > 0)
            cause = Message::list(
                {std::move(cause), msg::kCopiesOfCachesTake(format_seconds(found.cache_seconds))},
                msg::kSemicolon);
        out.push_back({Severity::warning, "caches-uploaded", msg::kCachesCross(found.caches, g.title),
                       std::move(cause), std::move(remedy), found.attention, found.attending});
    }
}

}  // namespace

std::uint64_t uploaded_weights(const Schedule& schedule, const Machine& machine) {
    return crossing(schedule, machine).uploaded_weights;
}

void lint_schedule(const ScheduledGraph& g, Findings& out) {
    if (g.schedule.error) {
        out.push_back({Severity::error, "scheduler-aborts", g.schedule.error->message,
                       msg::kInGraphOf(g.title), msg::kPlaceWhereItRuns, g.schedule.error->tensor});
        return;
    }
    if (g.plan.error) {
        out.push_back({Severity::error, "allocation-fails", *g.plan.error, msg::kInGraphOf(g.title),
                       msg::kLowerBatchOrContext});
        return;
    }
    const std::vector<Summary::Fallback> fallbacks = find_fallbacks(g.schedule);
    std::vector<bool> reported(fallbacks.size());
    check_detours(g, fallbacks, reported, out);
    check_fallbacks(g, fallbacks, reported, out);
    check_input_limit(g, out);
    check_crossing(g, out);
    for (const Hazard& hazard : find_hazards(g.schedule, g.plan)) {
        const bool overlaps = hazard.kind == HazardKind::copy_overlaps_original;
        out.push_back({Severity::error, "scheduler-hazard",
                       overlaps ? msg::kCopyOnOriginal : msg::kCopiedBeforeComputed,
                       describe(hazard, g.schedule), msg::kChooseOtherPlacement, hazard.tensor, hazard.split,
                       g.title});
    }
}

}  // namespace splitscope
