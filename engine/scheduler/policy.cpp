// SPDX-License-Identifier: MIT
#include "engine/scheduler/policy.hpp"

namespace splitscope {
namespace {

constexpr std::array<SweepPolicy, 4> kSweeps2024_01 = {
    SweepPolicy{Pass::p2_1, true, true, CauseKind::sweep1},
    SweepPolicy{Pass::p2_2, false, true, CauseKind::sweep2},
    SweepPolicy{Pass::p2_3, true, false, CauseKind::sweep3},
    SweepPolicy{Pass::p2_4, false, false, CauseKind::sweep4}};
constexpr std::array<SweepPolicy, 4> kSweeps = {SweepPolicy{Pass::p2_1, false, true, CauseKind::sup},
                                                SweepPolicy{Pass::p2_2, true, true, CauseKind::sup},
                                                SweepPolicy{Pass::p2_3, false, false, CauseKind::sup},
                                                SweepPolicy{Pass::p2_4, true, false, CauseKind::sup}};

constexpr SchedulerPolicy policy_2024_01() {
    SchedulerPolicy p;
    p.generation = Generation::g2024_01;
    p.stops_at_source_hole = true;
    p.labels_user_assignments = false;
    p.home = SchedulerPolicy::Home::own_buffer;
    p.knows_compute_buffers = true;
    p.input_flag_means_cpu = false;
    p.offload = SchedulerPolicy::Offload::never;
    p.pass1_assigns_sources = true;
    p.sweeps = kSweeps2024_01;
    p.sweeps_ask_support = false;
    p.has_best_fit_pass = false;
    p.rest_pass = Pass::p3;
    p.view_cause = CauseKind::vsrc3;
    p.reader_cause = CauseKind::cur3;
    p.split_pass = Pass::p4;
    p.copies_usable_sources = true;
    p.splits_for_weights = SchedulerPolicy::WeightSplit::never;
    p.max_splits = 256;
    p.max_split_inputs = 16;
    p.opens_split_when_full = false;
    p.numbers_copies = false;
    p.pipeline_copies = 1;
    p.has_dependency_views = false;
    p.schedules_leafs = false;
    p.initial_split_backend = -1;
    p.cursor = SchedulerPolicy::Cursor::none;
    p.extra_capacity = 4096;
    return p;
}

constexpr SchedulerPolicy policy_2024_10() {
    SchedulerPolicy p;
    p.generation = Generation::g2024_10;
    p.sweeps = kSweeps;
    return p;
}

constexpr SchedulerPolicy policy_2025_06() {
    SchedulerPolicy p = policy_2024_10();
    p.generation = Generation::g2025_06;
    p.home = SchedulerPolicy::Home::viewed_buffer_if_runs;
    p.weight_blind_ops = {Op::rope};
    p.offload = SchedulerPolicy::Offload::switched_host_weights_on_last;
    p.splits_for_weights = SchedulerPolicy::WeightSplit::not_usable;
    p.resets_cursor_on_synchronise = true;
    return p;
}

constexpr SchedulerPolicy policy_2026_08() {
    SchedulerPolicy p = policy_2025_06();
    p.generation = Generation::g2026_08;
    p.weight_blind_ops = {Op::rope, Op::flash_attn_ext};
    p.falls_back_to_first_supporter = true;
    p.max_split_inputs = 30;
    p.split_inputs_grow = true;
    p.max_graph_inputs = SchedulerPolicy::kUnlimited;
    p.output_flag_reaches_view_source = true;
    p.asks_backend_to_reorder = true;
    p.cursor = SchedulerPolicy::Cursor::advances_when_allocated;
    return p;
}

constexpr std::array<SchedulerPolicy, kGenerations.size()> kPolicies = {policy_2024_01(), policy_2024_10(),
                                                                        policy_2025_06(), policy_2026_08()};

}  // namespace

const SchedulerPolicy& scheduler_policy(Generation generation) {
    return kPolicies[static_cast<std::size_t>(generation)];
}

}  // namespace splitscope
