// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/planning/estimate.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/scheduler/link_copies.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A tensor that is live at the peak of a compute buffer.
struct PeakTensor {
    std::string name;
    std::string op;
    std::uint64_t bytes = 0;
};

/// A scheduled and allocated graph of a plan.
struct PlannedGraph {
    std::uint32_t tokens = 0;
    /// Tokens of the graph for which the compute buffers are reserved, that of `simulation`.
    std::uint32_t reserved_tokens = 0;
    std::shared_ptr<const ModelGraph> model_graph;
    Simulation simulation;
    std::size_t nodes = 0;
    std::size_t splits = 0;
    std::uint64_t copied_bytes = 0;
    std::vector<LinkCopies> links;               ///< the same by link
    std::uint64_t uploaded_weight_bytes = 0;     ///< the part of it that is weights
    std::vector<std::uint64_t> compute_bytes;    ///< per backend
    std::vector<std::vector<PeakTensor>> peaks;  ///< per backend, complete, largest first
    std::vector<std::size_t> unread;             ///< tensors of the file that the graph does not use
    /// Estimate of the splits of `simulation`.
    Estimate reserved_cost;
    /// Of `tokens`. Memory is reserved for a token of every sequence, but one sequence generates one token.
    Estimate cost;
    std::shared_ptr<const Schedule> timed;  ///< of `cost`
};

struct DevicePlan {
    BackendId backend;
    std::string name;
    std::uint64_t weights = 0;
    std::uint64_t mapped = 0;  ///< part of `weights` that is pages of the model file
    std::uint64_t cache = 0;
    std::uint64_t compute = 0;     ///< 0 = not known
    std::uint64_t output = 0;      ///< results on the host
    std::uint64_t companions = 0;  ///< of additional files (companions.hpp)
    std::uint64_t memory = 0;      ///< free memory of the device; 0 = not known
    /// Part of `compute` that pipelining adds with its input copies.
    std::uint64_t pipeline = 0;
    /// Smallest batch, in tokens, for which op offload applies to CPU weights; none = never.
    std::optional<std::int64_t> offload_from;
    bool complete = true;  ///< all requirements of the model are included
    bool companions_complete = true;
    /// A lower bound unless is_known().
    std::uint64_t total() const { return weights + cache + compute + output + companions; }
    bool is_known() const { return complete && companions_complete; }
    std::uint64_t left() const { return memory > total() ? memory - total() : 0; }
    std::uint64_t lacking() const { return memory > 0 && total() > memory ? total() - memory : 0; }
    /// Whether all that is lacking is pages of the file: the program starts, and reads them again whenever
    /// they are needed.
    bool lacks_pages() const { return lacking() > 0 && lacking() <= mapped; }
    /// Empty if memory or requirement is unknown.
    std::optional<bool> fits() const {
        if (lacking() > 0) return false;
        return memory > 0 && is_known() ? std::optional(true) : std::nullopt;
    }
};

/// The verdict on the sums of the devices. `why`: the reason why they are not final, or why the model cannot
/// run, if any.
Verdict judge(const std::vector<DevicePlan>& devices, std::optional<Verdict> why);

/// Everything derived from a model file, a machine and flags.
struct ModelPlan {
    std::shared_ptr<const ModelLayout> layout;
    std::vector<DevicePlan> devices;  ///< in the machine's order
    std::optional<PlannedGraph> prompt;
    std::optional<PlannedGraph> decode;
    std::vector<Message> notes;  ///< what is missing, and what was decided automatically
    Verdict verdict;
    std::uint32_t trained_context = 0;  ///< of the file; 0 = not stated
    Message unread;                     ///< tensors of the file that its graphs do not use; empty = none
    Message assumptions;                ///< of the estimates
    /// For uploads, the one with the fastest prompts (compare_upload_remedies()); empty = not compared.
    Message upload_remedy;
    /// For devices that lack memory: experts to keep on the CPU (find_expert_remedy()); empty = none found.
    Message expert_remedy;

    bool fits() const { return verdict.fits(); }
    /// The used device with the least memory left; null if no memory size is known.
    const DevicePlan* tightest() const;
    /// Whether the model would run at the estimated speeds: not if it lacks memory or cannot run.
    bool has_real_speed() const { return fits() || verdict.kind == Verdict::Kind::need_known; }
    /// Whether speeds can be estimated; prompt speeds only where the decode speed can.
    bool has_speed() const { return decode && decode->cost.is_reliable(); }
    /// Whether programs generate text; with --embeddings they only read prompts.
    bool generates() const { return !layout || !layout->flags.embeddings; }
    /// Decode speed; 0 if it cannot be estimated.
    double tokens_per_second() const { return has_speed() ? 1.0 / decode->cost.seconds : 0; }
    double prompt_tokens_per_second() const {
        return has_speed() && prompt && prompt->cost.is_reliable() ? prompt->tokens / prompt->cost.seconds
                                                                   : 0;
    }
};

/// Plans one model on one machine with any number of flags; reuses graphs. All references must outlive the
/// object.
class ModelPlanner {
 public:
    enum class Detail : std::uint8_t {
        figures,  ///< no decisions and no peaks
        full
    };

    /// `model` may be null: weights and caches are still placed, and notes list what is missing.
    ModelPlanner(const GgufFile& file, const Model* model, const Hardware& hardware, Generation generation,
                 Detail detail = Detail::full);

    /// Throws Error(usage) for contradictory flags, and Cancelled.
    ModelPlan plan(const PlacementFlags& flags, const JobContext& job = {});

    /// As plan(), without the prompt graph, whose compute buffers are then not included.
    ModelPlan plan_decode(const PlacementFlags& flags, const JobContext& job = {});
    void add_prompt(ModelPlan& plan, const JobContext& job = {});

 private:
    void read_encoder(const Model& model);
    PlannedGraph place_prompt(const ModelLayout& layout, std::uint32_t tokens, const JobContext& job);
    PlannedGraph planned(PlacedGraph placed, std::uint32_t tokens) const;
    PlannedGraph decode(const ModelLayout& layout, std::optional<PlacedGraph> reserved,
                        const JobContext& job);
    std::vector<std::uint64_t> compute_of_one_copy(const ModelPlan& plan, const JobContext& job);
    void reserve_one_sequence(ModelPlan& plan, const JobContext& job);
    ModelPlan start(const PlacementFlags& flags, const JobContext& job);
    void add_notes(ModelPlan& plan) const;
    void judge(ModelPlan& plan) const;
    std::optional<Verdict> why_not(const ModelPlan& plan) const;
    void sum_devices(ModelPlan& plan, const std::vector<std::uint64_t>& single) const;

    const GgufFile& file_;
    const Hardware& hardware_;
    Generation generation_;
    Detail detail_;
    std::optional<GraphPlacer> placer_;
    std::optional<Verdict> file_verdict_;  ///< of the file, on any machine
    std::vector<WeightBinding> encoder_;
};

/// Places, builds, schedules and allocates. `model` may be null: weights and caches are still placed, and
/// notes list what is missing. Throws Error(usage) for contradictory flags, and Cancelled.
ModelPlan plan_model(const GgufFile& file, const Model* model, const Hardware& hardware,
                     const PlacementFlags& flags, Generation generation, const JobContext& job = {});

/// The plan of a model session, consistent with analyse(), with remedies of uploads and of lacking memory.
/// Manual assignments are ignored, because they refer to the displayed graph.
ModelPlan plan_session(const Session& session, const JobContext& job = {});

/// Replaces the figures of the displayed graph with those of the plan (prompt and generation), where the plan
/// has them.
void apply_plan_figures(Summary& summary, const ModelPlan& plan);

}  // namespace splitscope
