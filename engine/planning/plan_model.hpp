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
#include "engine/session/placed_graph.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A tensor that a compute buffer holds at its fullest moment.
struct PeakTensor {
    std::string name;
    std::string op;
    std::uint64_t bytes = 0;
};

/// One graph of a plan, scheduled and allocated.
struct PlannedGraph {
    std::uint32_t tokens = 0;
    Simulation simulation;
    std::size_t nodes = 0;
    std::size_t splits = 0;
    std::uint64_t copied_bytes = 0;
    std::uint64_t uploaded_weight_bytes = 0;     ///< the part of it that is weights
    std::vector<std::uint64_t> compute_bytes;    ///< per backend
    std::vector<std::vector<PeakTensor>> peaks;  ///< per backend, all of them, largest first
    std::vector<std::size_t> unread;             ///< tensors of the file that it does not read
    Estimate cost;
};

struct DevicePlan {
    BackendId backend;
    std::string name;
    std::uint64_t weights = 0;
    std::uint64_t cache = 0;
    std::uint64_t compute = 0;  ///< 0 where it is not known
    std::uint64_t output = 0;   ///< results on the host
    std::uint64_t memory = 0;   ///< what it has free; 0 = not known
    /// Part of `compute` that is there only because pipelining keeps several copies of the inputs.
    std::uint64_t pipeline = 0;
    /// Tokens from which it takes over operations on weights of the CPU; none = never.
    std::optional<std::int64_t> offload_from;
    bool complete = true;  ///< everything it must hold is counted; else total() is what it needs at least
    std::uint64_t total() const { return weights + cache + compute + output; }
    std::uint64_t left() const { return memory > total() ? memory - total() : 0; }
    std::uint64_t lacking() const { return memory > 0 && total() > memory ? total() - memory : 0; }
    /// Nothing where its memory or its need is not known.
    std::optional<bool> fits() const {
        if (lacking() > 0) return false;
        return memory > 0 && complete ? std::optional(true) : std::nullopt;
    }
};

/// Everything that follows from a model file, a machine and flags.
struct ModelPlan {
    std::shared_ptr<const ModelLayout> layout;
    std::vector<DevicePlan> devices;  ///< in the machine's order
    std::optional<PlannedGraph> prompt;
    std::optional<PlannedGraph> decode;
    std::vector<Message> notes;  ///< what is missing or was decided on the way, for people
    Verdict verdict;
    Message unread;  ///< tensors of the file that its graphs do not read; empty = none

    bool fits() const { return verdict.fits(); }
    /// The device that holds something and has least memory left; null without one whose memory is known.
    const DevicePlan* tightest() const;
    /// Tokens per second of generating; 0 when it cannot be estimated.
    double tokens_per_second() const { return decode && decode->cost.known ? 1.0 / decode->cost.seconds : 0; }
    double prompt_tokens_per_second() const {
        return prompt && prompt->cost.known ? prompt->tokens / prompt->cost.seconds : 0;
    }
};

/// Plans one model on one machine with any number of flags; graphs are built once per form. What is referred
/// to has to outlive it.
class ModelPlanner {
 public:
    enum class Detail : std::uint8_t {
        figures,  ///< no decisions and no peaks
        full
    };

    /// `model` may be null: then weights and caches are still placed, and the notes say what is missing.
    ModelPlanner(const GgufFile& file, const Model* model, const Hardware& hardware, Generation generation,
                 Detail detail = Detail::full);

    /// Throws Error(usage) for flags that do not fit, and Cancelled.
    ModelPlan plan(const PlacementFlags& flags, const JobContext& job = {});

    /// The same in two steps: without the prompt graph, whose buffers are then missing in the devices'
    /// compute bytes, and with it.
    ModelPlan plan_decode(const PlacementFlags& flags, const JobContext& job = {});
    void add_prompt(ModelPlan& plan, const JobContext& job = {});

 private:
    PlannedGraph place(const ModelLayout& layout, std::uint32_t tokens, const JobContext& job);
    PlannedGraph planned(PlacedGraph placed, std::uint32_t tokens) const;
    std::vector<std::uint64_t> compute_of_one_copy(const ModelPlan& plan, const JobContext& job);
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
    std::optional<Verdict> file_verdict_;  ///< of the file, whatever it is placed on
};

/// Places, builds, schedules and allocates. `model` may be null: then weights and caches are still placed,
/// and the notes say what is missing. Throws Error(usage) for flags that do not fit, and Cancelled.
ModelPlan plan_model(const GgufFile& file, const Model* model, const Hardware& hardware,
                     const PlacementFlags& flags, Generation generation, const JobContext& job = {});

/// The plan of a session with a model: its decode or prompt graph is the one that analyse() shows, with the
/// same figures; only assignments by hand are left out, because they are about the graph shown.
ModelPlan plan_session(const Session& session, const JobContext& job = {});

/// Puts what a model needs for prompt and generation in the place of what the graph shown needs. What the
/// plan does not know stays.
void count_plan(Summary& summary, const ModelPlan& plan);

}  // namespace splitscope
