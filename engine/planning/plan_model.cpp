// SPDX-License-Identifier: MIT
#include "engine/planning/plan_model.hpp"

#include <algorithm>
#include <iterator>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/models/placement/cache_types.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/planning/expert_remedy.hpp"
#include "engine/planning/lint_schedule.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/upload_remedies.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

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
    }
    return peaks;
}

/// Records that graphs cannot be built; weights and caches are still planned. Errors caused by the user are
/// rethrown.
void give_up_graphs(ModelPlan& plan, const Error& error, const GgufFile& file) {
    if (error.kind() == ErrorKind::cancelled || error.kind() == ErrorKind::usage) throw;
    plan.decode.reset();
    plan.prompt.reset();
    plan.verdict = Verdict::of(error, file);
    plan.notes.push_back(msg::kNoGraphs(error.problem()));
}

/// Values kept on the host per result: the logits, and the embeddings if they are computed.
std::uint64_t result_values(const GgufFile& file, bool embeddings) {
    std::uint64_t values = 0;
    if (const auto tokens = file.find_tensor("token_embd.weight"))
        values = static_cast<std::uint64_t>(std::max<std::int64_t>(file.tensors()[*tokens].ne[1], 0));
    const Keys keys(file);
    // The decoder of T5 returns those of its encoder, too.
    if (embeddings || architecture_or_default(architecture_of(file)).reads_encoder)
        values += keys.number("embedding_length_out").value_or(keys.number_or("embedding_length", 0));
    return values;
}

Message broken(const PlannedGraph& graph) {
    if (graph.simulation.schedule->error)
        return msg::kSchedulerGivesUp(graph.simulation.schedule->error->message);
    return graph.simulation.plan->error ? msg::kMemoryNotPlanned(*graph.simulation.plan->error) : Message();
}

}  // namespace

ModelPlanner::ModelPlanner(const GgufFile& file, const Model* model, const Hardware& hardware,
                           Generation generation, Detail detail)
    : file_(file), hardware_(hardware), generation_(generation), detail_(detail) {
    validate(hardware.machine);
    if (model != nullptr) {
        placer_.emplace(*model, hardware, generation, detail == Detail::full);
        if (const auto error = why_not_loadable(file)) file_verdict_ = Verdict::cannot_run(*error, file);
        if (!file_verdict_) read_encoder(*model);
    } else {
        file_verdict_ = why_no_model(file);
        if (!file_verdict_) file_verdict_ = Verdict::not_known(msg::kNoBuilderForIt);
    }
}

void ModelPlanner::read_encoder(const Model& model) {
    try {
        encoder_ = encoder_weights(model);
    } catch (const Error& error) {
        file_verdict_ = Verdict::of(error, file_);
    }
}

PlannedGraph ModelPlanner::planned(PlacedGraph placed, std::uint32_t tokens) const {
    PlannedGraph out;
    out.tokens = tokens;
    out.simulation = std::move(placed.simulation);
    const Schedule& schedule = *out.simulation.schedule;
    const Graph& graph = *schedule.graph;
    const Machine& machine = *placed.machine;
    out.nodes = graph.nodes.size();
    out.splits = schedule.splits.size();
    out.copied_bytes = copied_bytes(schedule);
    out.links = copies_by_link(schedule);
    out.uploaded_weight_bytes = uploaded_weights(schedule, machine);
    out.compute_bytes.assign(machine.backends.size(), 0);
    for (std::size_t b = 0; b < std::min(out.compute_bytes.size(), out.simulation.plan->buffers.size()); ++b)
        out.compute_bytes[b] = out.simulation.plan->buffers[b].size;
    out.model_graph = placed.model_graph;
    out.reserved_tokens = placed.model_graph->options.tokens;
    if (detail_ == Detail::full) out.unread = unread_tensors(file_, *placed.model_graph, encoder_);
    if (detail_ == Detail::full) out.peaks = peaks_of(out.simulation, machine.backends.size());
    out.cost = out.reserved_cost = estimate(schedule, hardware_);
    out.timed = out.simulation.schedule;
    return out;
}

PlannedGraph ModelPlanner::place_prompt(const ModelLayout& layout, std::uint32_t tokens,
                                        const JobContext& job) {
    return planned(placer_->place(layout, worst_case_prompt(layout, generation_, tokens), {}, job), tokens);
}

PlannedGraph ModelPlanner::decode(const ModelLayout& layout, std::optional<PlacedGraph> reserved,
                                  const JobContext& job) {
    ModelGraphOptions options = worst_case_decode(layout, generation_);
    if (!reserved) reserved = placer_->place(layout, options, {}, job);
    PlannedGraph out = planned(std::move(*reserved), 1);
    if (options.sequences == 1) return out;
    options.starts_sequence = options.reserves = false;
    options.states = options.sequences;
    options.shared_stream = options.streams == 1;
    options.sequences = options.streams = options.tokens = 1;
    options.outputs = std::min(options.outputs, 1U);
    options.first_cell = options.cells - std::min(options.tokens, options.cells);
    const PlacedGraph single = placer_->place(layout, options, {}, job);
    out.timed = single.simulation.schedule;
    out.copied_bytes = copied_bytes(*out.timed);
    out.links = copies_by_link(*out.timed);
    out.cost = estimate(*out.timed, hardware_);
    return out;
}

std::vector<std::uint64_t> ModelPlanner::compute_of_one_copy(const ModelPlan& plan, const JobContext& job) {
    ModelLayout layout = *plan.layout;
    layout.machine.parallel = false;
    return place_prompt(layout, plan.prompt->tokens, job).compute_bytes;
}

/// The states of the other sequences are moved, and attention reads the cells of all.
void ModelPlanner::reserve_one_sequence(ModelPlan& plan, const JobContext& job) {
    ModelGraphOptions options = worst_case_prompt(*plan.layout, generation_, plan.prompt->tokens);
    if (!plan.prompt->model_graph->reserves_one_sequence || options.sequences == 1) return;
    options.states = options.sequences;
    options.sequences = 1;
    PlannedGraph single = planned(placer_->place(*plan.layout, options, {}, job), plan.prompt->tokens);
    for (std::size_t b = 0; b < single.compute_bytes.size(); ++b) {
        if (single.compute_bytes[b] <= plan.prompt->compute_bytes[b]) continue;
        plan.prompt->compute_bytes[b] = single.compute_bytes[b];
        if (b < single.peaks.size()) plan.prompt->peaks[b] = std::move(single.peaks[b]);
    }
}

ModelPlan ModelPlanner::start(const PlacementFlags& flags, const JobContext& job) {
    ModelPlan plan;
    plan.trained_context = trained_context(file_);
    plan.assumptions = EstimateAssumptions().described(hardware_);
    if (!placer_) {
        plan.notes.push_back(msg::kNoGraphBuilder(file_.string_value("general.architecture").value_or("")));
    } else {
        try {
            job.report(0.1, msg::kBuildingDecodeGraph);
            DecidedLayout decided = decide_layout(file_, &*placer_, hardware_, flags, generation_, job);
            plan.layout = decided.layout;
            if (!decided.note.empty()) plan.notes.push_back(decided.note);
            plan.decode = decode(*plan.layout, std::move(decided.decode), job);
        } catch (const Error& error) {
            give_up_graphs(plan, error, file_);
        }
    }
    if (plan.layout == nullptr)
        plan.layout =
            decide_layout(file_, static_cast<GraphPlacer*>(nullptr), hardware_, flags, generation_, job)
                .layout;
    return plan;
}

void ModelPlanner::add_notes(ModelPlan& plan) const {
    for (const auto* graph : {&plan.prompt, &plan.decode}) {
        if (!*graph) continue;
        const Simulation& simulation = (*graph)->simulation;
        if (simulation.schedule->error)
            plan.notes.push_back(msg::kSchedulingEndsEarly(simulation.schedule->error->message));
        else if (simulation.plan->error)
            plan.notes.push_back(msg::kPlanningEndsEarly(*simulation.plan->error));
    }
    if (!plan.unread.empty()) plan.notes.push_back(msg::kFileHasUnread(plan.unread));
    const PlacementFlags& flags = plan.layout->flags;
    if (flags.split_mode == SplitMode::row) plan.notes.push_back(msg::kRowAsLayer);
    if (flags.sequences > 1 && generation_ != Generation::g2026_08) plan.notes.push_back(msg::kOneSequence);
    const std::vector<BackendId>& devices = plan.layout->layers.devices();
    if (!std::ranges::is_sorted(devices)) {
        std::string names;
        for (const BackendId device : devices)
            names += (names.empty() ? "" : ", ") + plan.layout->machine.backends[device.index()].name;
        plan.notes.push_back(msg::kOrderOfShares(names));
    }
    for (const Message& note : plan.layout->cache_layout.notes) plan.notes.push_back(note);
}

/// `single`: compute buffers without pipelining; empty if it is off.
void ModelPlanner::sum_devices(ModelPlan& plan, const std::vector<std::uint64_t>& single) const {
    const ModelLayout& layout = *plan.layout;
    plan.devices.clear();
    for (std::size_t b = 0; b < layout.machine.backends.size(); ++b) {
        DevicePlan device;
        device.backend = BackendId(b);
        device.name = layout.machine.backends[b].name;
        if (const DeviceFacts* facts = hardware_.facts(device.backend)) device.memory = facts->memory_free;
        for (const auto* graph : {&plan.prompt, &plan.decode})
            if (*graph) device.compute = std::max(device.compute, (*graph)->compute_bytes[b]);
        if (b < single.size() && device.compute > single[b]) device.pipeline = device.compute - single[b];
        device.complete = plan.prompt && plan.decode;
        if (layout.machine.op_offload && layout.machine.uses(device.backend))
            device.offload_from = layout.machine.backends[b].offload_min_batch;
        plan.devices.push_back(std::move(device));
    }
    for (const LayoutBuffer& buffer : layout.buffers) {
        DevicePlan& device = plan.devices[buffer.owner.index()];
        (buffer.purpose == BufferPurpose::weights ? device.weights : device.cache) += buffer.bytes();
        if (buffer.mapped) device.mapped += buffer.bytes();
    }
    plan.devices.back().output =
        sizeof(float) * result_values(file_, layout.flags.embeddings) * std::max(layout.flags.sequences, 1U);
}

ModelPlan ModelPlanner::plan_decode(const PlacementFlags& flags, const JobContext& job) {
    ModelPlan plan = start(flags, job);
    sum_devices(plan, {});
    return plan;
}

void ModelPlanner::add_prompt(ModelPlan& plan, const JobContext& job) {
    std::vector<std::uint64_t> single;
    if (plan.decode) {
        try {
            job.report(0.5, msg::kBuildingPromptGraph);
            plan.prompt = place_prompt(*plan.layout, prompt_tokens_at_once(*plan.layout), job);
            reserve_one_sequence(plan, job);
            if (plan.layout->machine.parallel && detail_ == Detail::full)
                single = compute_of_one_copy(plan, job);
        } catch (const Error& error) {
            give_up_graphs(plan, error, file_);
        }
    }
    if (plan.prompt && plan.decode) {
        std::vector<std::size_t> unread;
        std::ranges::set_intersection(plan.prompt->unread, plan.decode->unread, std::back_inserter(unread));
        if (!unread.empty()) plan.unread = unread_text(file_, unread);
    }
    add_notes(plan);
    sum_devices(plan, single);
    judge(plan);
}

/// Reasons why the sum of the devices is not final.
std::optional<Verdict> ModelPlanner::why_not(const ModelPlan& plan) const {
    if (file_verdict_) return file_verdict_;
    if (plan.layout->flags.context == 0 && trained_context(file_) == 0) {
        const std::string key = file_.string_value("general.architecture").value_or("") + ".context_length";
        return Verdict::cannot_run(Error(ErrorKind::bad_file, msg::kKeyZero, place_of_key(file_.path(), key)),
                                   file_);
    }
    if (auto impossible = why_impossible(file_, plan.layout->flags))
        return Verdict{Verdict::Kind::cannot_run, std::move(*impossible), {}, msg::kChooseOtherCaches};
    const std::uint32_t results = max_results(plan.layout->flags, plan.layout->cache_layout.context.batch);
    if (generation_ == Generation::g2026_08 && results < plan.layout->flags.sequences)
        return Verdict{Verdict::Kind::cannot_run,
                       msg::kBatchBelowSequences(results, plan.layout->flags.sequences),
                       {},
                       msg::kRaiseBatch};
    if (!plan.decode || !plan.prompt) return plan.verdict;
    for (const auto* graph : {&*plan.prompt, &*plan.decode})
        if (Message why = broken(*graph); !why.empty()) return Verdict::cannot_run(std::move(why));
    const ModelLayout& layout = *plan.layout;
    if (!layout.cache_layout.notes.empty()) return Verdict::not_known(layout.cache_layout.notes.front());
    if (layout.flags.split_mode == SplitMode::row && layout.layers.devices().size() > 1)
        return Verdict::not_known(msg::kRowsNotPlanned);
    return std::nullopt;
}

void ModelPlanner::judge(ModelPlan& plan) const {
    plan.verdict = splitscope::judge(plan.devices, why_not(plan));
}

ModelPlan ModelPlanner::plan(const PlacementFlags& flags, const JobContext& job) {
    ModelPlan plan = start(flags, job);
    add_prompt(plan, job);
    return plan;
}

ModelPlan plan_model(const GgufFile& file, const Model* model, const Hardware& hardware,
                     const PlacementFlags& flags, Generation generation, const JobContext& job) {
    return ModelPlanner(file, model, hardware, generation).plan(flags, job);
}

ModelPlan plan_session(const Session& session, const JobContext& job) {
    const Model& model = *session.file->model;
    const Hardware hardware = hardware_of(session);
    ModelPlan plan =
        plan_model(model.file(), &model, hardware, placement_flags(session), session.generation, job);
    compare_upload_remedies(plan, model, hardware, session.generation, job);
    find_expert_remedy(plan, model, hardware, session.generation, job);
    return plan;
}

Verdict judge(const std::vector<DevicePlan>& devices, std::optional<Verdict> why) {
    if (why && why->kind == Verdict::Kind::cannot_run) return *why;
    Verdict lacks{Verdict::Kind::lacks, {}, {}};
    bool known = true;
    for (const DevicePlan& d : devices) {
        if (d.lacking() > 0) lacks.shortages.push_back({d.name, d.lacking(), d.lacks_pages()});
        known = known && (d.memory > 0 || d.total() == 0);
    }
    // Even the known part of a plan may exceed the memory.
    if (!lacks.shortages.empty()) return lacks;
    if (why) return *why;
    return {known ? Verdict::Kind::fits : Verdict::Kind::need_known, {}, {}};
}

const DevicePlan* ModelPlan::tightest() const {
    const DevicePlan* tightest = nullptr;
    for (const DevicePlan& device : devices) {
        if (device.memory == 0 || device.total() == 0) continue;
        if (tightest == nullptr || device.left() < tightest->left()) tightest = &device;
    }
    return tightest;
}

void apply_plan_figures(Summary& summary, const ModelPlan& plan) {
    for (const DevicePlan& device : plan.devices) {
        if (device.backend.index() >= summary.backends.size()) continue;
        Summary::BackendShare& share = summary.backends[device.backend.index()];
        share.weights_bytes = device.weights;
        share.cache_bytes = device.cache;
        share.results_bytes = device.output;
        if (device.complete) share.compute_bytes = device.compute;
    }
}

}  // namespace splitscope
