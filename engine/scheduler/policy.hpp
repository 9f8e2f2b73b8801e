// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "engine/scheduler/decision.hpp"
#include "engine/scheduler/generation.hpp"
#include "engine/tensor/op_set.hpp"

namespace splitscope {

/// One sweep of pass 2.
struct SweepPolicy {
    Pass pass = Pass::p2_1;
    bool upwards = false;       ///< from the last node to the first
    bool stops_at_cpu = false;  ///< a node on the CPU ends the spread, and does not spread itself
    CauseKind cause = CauseKind::sup;
};

/// The scheduling rules of one generation (scheduler.md §11), as data.
struct SchedulerPolicy {
    Generation generation = Generation::g2024_10;

    bool stops_at_source_hole = false;
    bool labels_user_assignments = true;

    /// Which buffer determines a tensor's location (`home`, §3.1).
    enum class Home { own_buffer, own_buffer_if_runs, viewed_buffer_if_runs } home = Home::own_buffer_if_runs;
    bool knows_compute_buffers =
        false;  ///< a tensor in a backend's own compute buffer belongs to that backend
    bool input_flag_means_cpu = true;
    OpSet weight_blind_ops;  ///< operations that do not follow their weights
    enum class Offload {
        never,
        weights_on_last,
        switched_host_weights_on_last
    } offload = Offload::weights_on_last;
    bool pass1_assigns_sources = false;

    std::array<SweepPolicy, 4> sweeps{};
    bool sweeps_ask_support =
        true;  ///< otherwise a node takes its neighbour's backend unconditionally, even none

    bool has_best_fit_pass = true;
    Pass rest_pass = Pass::p4;  ///< the pass that assigns remaining sources and views
    CauseKind view_cause = CauseKind::vsrc4;
    CauseKind reader_cause = CauseKind::cur4;
    bool falls_back_to_first_supporter = false;

    Pass split_pass = Pass::p5;
    bool copies_usable_sources =
        false;  ///< copy whenever the backend differs, even if it could read the original
    enum class WeightSplit { never, ids_differ, not_usable } splits_for_weights = WeightSplit::ids_differ;
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
    std::size_t max_splits = kUnlimited;
    std::size_t max_split_inputs = 10;  ///< or the initial capacity of a growing split slot
    bool split_inputs_grow = false;
    bool opens_split_when_full = true;
    std::size_t max_graph_inputs = 10;
    bool numbers_copies = true;  ///< "backend#tensor#copy" instead of "backend#tensor"
    int pipeline_copies = 4;
    bool output_flag_reaches_view_source = false;

    bool has_dependency_views = true;  ///< otherwise the copy has the original as its source
    bool schedules_leafs = true;
    bool asks_backend_to_reorder = false;
    int initial_split_backend = 0;  ///< for a graph with only view operations; -1 = none

    enum class Cursor {
        none,
        advances_after_compute,
        advances_when_allocated
    } cursor = Cursor::advances_after_compute;
    bool resets_cursor_on_synchronise = false;  ///< if nothing is allocated
    std::size_t extra_capacity = 0;             ///< that a graph must leave unused
};

const SchedulerPolicy& scheduler_policy(Generation generation);

}  // namespace splitscope
