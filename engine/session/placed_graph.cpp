// SPDX-License-Identifier: MIT
#include "engine/session/placed_graph.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/formats/machine_json.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/graph_forms.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

GraphForm form_of(Generation generation) {
    return generation == Generation::g2026_08 ? GraphForm::g2026_08 : GraphForm::g2025_02;
}

/// Programs of that time kept inputs in a separate buffer.
std::string add_input_buffer(Machine& machine) {
    const BufferTypeId type = machine.backends.back().buffer_type;
    std::string name = machine.buffer_types[type.index()].name + " inputs";
    machine.buffers.push_back({name, type, BufferUsage::any});
    return name;
}

void add_user_assignments(Machine& machine, std::span<const Assignment> users) {
    std::unordered_set<TensorId> chosen;
    for (const Assignment& user : users) chosen.insert(user.tensor);
    std::erase_if(machine.assignments, [&](const Assignment& a) { return chosen.contains(a.tensor); });
    machine.assignments.insert(machine.assignments.end(), users.begin(), users.end());
    std::ranges::stable_sort(machine.assignments, {}, &Assignment::tensor);
}

/// The first block whose attention is not computed on its device, if any.
std::optional<Message> attention_elsewhere(const PlacedGraph& placed, const ModelLayout& layout) {
    const auto moved = moved_attentions(*placed.model_graph, *placed.simulation.schedule, layout);
    if (moved.empty()) return std::nullopt;
    const MovedAttention& first = moved.front();
    return msg::kAttentionElsewhere(first.block, layout.machine.backends[first.wanted.index()].name,
                                    layout.machine.backends[first.computed.index()].name);
}

/// Whether a block's operation of this kind is not computed on its device.
bool is_elsewhere(const PlacedGraph& placed, const ModelLayout& layout, Op op) {
    return std::ranges::any_of(placed.model_graph->fused, [&](const FusedNode& fused) {
        if (placed.model_graph->graph[fused.node].op != op) return false;
        return placed.simulation.schedule->backend[fused.node.index()] !=
               layout.layers.backend_of(fused.block);
    });
}

/// Replaces the operations that not every block's device computes (placement.md §8).
void decide_fused(DecidedLayout& decided, std::span<const Op> ops, GraphPlacer& placer, Generation generation,
                  const JobContext& job) {
    for (const Op op : ops) {
        if (!decided.decode)
            decided.decode =
                placer.place(*decided.layout, worst_case_decode(*decided.layout, generation), {}, job);
        if (!is_elsewhere(*decided.decode, *decided.layout, op)) continue;
        ModelLayout without = *decided.layout;
        without.unfused.push_back(op);
        decided.layout = std::make_shared<const ModelLayout>(std::move(without));
        decided.decode.reset();
    }
}

}  // namespace

std::vector<MovedAttention> moved_attentions(const ModelGraph& graph, const Schedule& schedule,
                                             const ModelLayout& layout) {
    std::vector<MovedAttention> moved;
    for (const auto& [block, node] : graph.flash_attentions) {
        const BackendId wanted = layout.layers.backend_of(block);
        const BackendId computed = schedule.backend[node.index()];
        if (computed.valid() && computed != wanted) moved.push_back({block, node, wanted, computed});
    }
    return moved;
}

std::optional<Message> why_not_scheduled(const Model& model, Generation generation) {
    return why_no_graph(architecture_or_default(architecture_of(model.file())), form_of(generation));
}

ModelGraphOptions worst_case_prompt(const ModelLayout& layout, Generation generation, std::uint32_t tokens) {
    const CacheLayout& cache = layout.cache_layout;
    ModelGraphOptions options;
    options.form = form_of(generation);
    const std::uint32_t outputs = tokens;
    if (options.form == GraphForm::g2026_08) {
        options.sequences = std::max(layout.flags.sequences, 1U);
        options.streams = cache.context.streams;
        // Outputs are not rounded.
        tokens = (tokens + options.sequences - 1) / options.sequences * options.sequences;
    }
    options.tokens = tokens;
    options.cells = options.context = cache.context.cells;
    options.first_cell = options.cells - std::min(tokens, options.cells);
    options.window_cells = options.window_context = cache.window_cells;
    options.outputs = std::min(outputs, max_results(layout.flags, cache.context.batch));
    options.embeddings = layout.flags.embeddings;
    options.pooling = layout.flags.pooling;
    options.flash_attention = layout.flash_attention;
    options.values_in_rows = layout.values_in_rows;
    options.unfused = layout.unfused;
    options.starts_sequence = options.reserves = options.form == GraphForm::g2026_08;
    options.cache_type_k = layout.flags.cache_type_k;
    options.cache_type_v = layout.flags.cache_type_v;
    return options;
}

ModelGraphOptions worst_case_decode(const ModelLayout& layout, Generation generation) {
    const bool at_once = generation == Generation::g2026_08;
    return worst_case_prompt(layout, generation, at_once ? std::max(layout.flags.sequences, 1U) : 1);
}

std::uint32_t prompt_tokens_at_once(const ModelLayout& layout) {
    const ContextSize& context = layout.cache_layout.context;
    return std::min(context.micro_batch, context.cells * context.streams);
}

PlacedGraph GraphPlacer::place(const ModelLayout& layout, const ModelGraphOptions& options,
                               std::span<const Assignment> users, const JobContext& job) {
    job.check();
    auto machine = std::make_shared<Machine>(layout.machine);
    std::string input_buffer;
    if (generation_ == Generation::g2024_01) input_buffer = add_input_buffer(*machine);
    // CPU nodes use pinned memory if available (placement.md §7).
    if (hardware_.pinned_type.valid() && !layout.layers.devices().empty())
        machine->backends.back().buffer_type = hardware_.pinned_type;
    PlacedGraph placed;
    placed.model_graph = graphs_.graph(options, layout, input_buffer);
    if (hardware_.record_support) hardware_.record_support(*machine, placed.model_graph->graph);
    // Measuring without allocating loses pinned nodes of the prompt's graph only: the other is not measured.
    if (hardware_.pins_nodes || options.tokens < prompt_tokens_at_once(layout))
        pin_nodes(*placed.model_graph, layout, *machine);
    add_user_assignments(*machine, users);
    validate(*machine, placed.model_graph->graph);
    placed.machine = std::move(machine);
    // The newest form is that of llama.cpp v0.5.0.
    const bool ends_full_splits = options.form != GraphForm::g2026_08;
    placed.simulation = simulate(placed.graph(), placed.machine, generation_, job, trace_, ends_full_splits);
    return placed;
}

PlacedGraph place_graph(const Model& model, const Hardware& hardware, const ModelLayout& layout,
                        const ModelGraphOptions& options, Generation generation,
                        std::span<const Assignment> users, const JobContext& job) {
    return GraphPlacer(model, hardware, generation).place(layout, options, users, job);
}

DecidedLayout decide_layout(const GgufFile& file, const Model* model, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job) {
    std::optional<GraphPlacer> placer;
    if (model != nullptr) placer.emplace(*model, hardware, generation);
    return decide_layout(file, placer ? &*placer : nullptr, hardware, flags, generation, job);
}

DecidedLayout decide_layout(const GgufFile& file, GraphPlacer* placer, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job) {
    const bool quantised_v = traits_of(flags.cache_type_v).quantised;
    const Architecture* architecture =
        find_architecture(file.string_value("general.architecture").value_or(""));
    const bool possible = architecture == nullptr || !architecture->without_flash;
    const bool wanted = possible && flags.flash_attention != FlashAttention::off;
    if (quantised_v && !wanted) {
        throw Error(
            ErrorKind::usage, msg::kQuantisedVNeedsFlash(name_of(flags.cache_type_v)), "--cache-type-v",
            possible ? Message(msg::kEnableFlash) : Message(msg::kUseUnquantisedV(architecture->name)));
    }
    if (wanted && placer != nullptr && architecture != nullptr && architecture->aborts_with_flash)
        throw Error(ErrorKind::placement, msg::kStopsOnFlash(architecture->name), {}, msg::kDisableFlash);
    const auto place = [&](bool flash, bool values_in_rows = false) {
        return std::make_shared<const ModelLayout>(
            place_model_file(file, hardware, flags, flash, generation, job, values_in_rows));
    };
    DecidedLayout decided;
    // A quantised V cache enables it whatever the devices compute.
    const bool automatic = flags.flash_attention == FlashAttention::automatic && !quantised_v;
    if (automatic && !vocabulary_of(generation).ops.contains(Op::flash_attn_ext)) {
        decided.note = msg::kFlashOff(msg::kFlashNotYet(name_of(generation)));
        decided.layout = place(false);
        return decided;
    }
    decided.layout = place(wanted);
    if (placer == nullptr) return decided;
    if (wanted && automatic) {
        decided.decode =
            placer->place(*decided.layout, worst_case_decode(*decided.layout, generation), {}, job);
        if (const auto elsewhere = attention_elsewhere(*decided.decode, *decided.layout)) {
            decided.note = msg::kFlashOff(*elsewhere);
            decided.decode.reset();
            // The caches have already been created for flash attention.
            decided.layout = place(false, generation == Generation::g2026_08);
        }
    }
    if (architecture != nullptr && generation == Generation::g2026_08)
        decide_fused(decided, architecture->fused, *placer, generation, job);
    return decided;
}

}  // namespace splitscope
