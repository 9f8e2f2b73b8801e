// SPDX-License-Identifier: MIT
// Pass 3: the best backend for unassigned nodes, and moves up to a backend with the same buffer type
// (scheduler.md §3.4).
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {
namespace {

bool has_backend(const SchedulingContext& context, TensorId source) {
    if (context.id(source).valid()) return true;
    return context.is_view(source) && context.id(context.view_src(source)).valid();
}

/// Not inlined: most nodes are assigned already.
[[gnu::noinline]] void find_best(SchedulingContext& context, TensorId node) {
    std::int32_t best = -1;
    for (const BackendId backend : context.backends()) {
        const OpSupport support = context.runs(backend, node);
        if (!support) {
            context.refused_later(node, {backend, false, support});
            continue;
        }
        std::int32_t usable = 0;
        for (const TensorId source : context.sources(node)) {
            if (source.valid() && has_backend(context, source) && context.usable(source, backend)) ++usable;
        }
        if (usable > best) {
            best = usable;
            Evidence evidence;
            evidence.usable_sources = usable;
            context.decide(Pass::p3, node, backend, {CauseKind::best, 0}, evidence);
        }
    }
}

bool all_sources_usable(const SchedulingContext& context, TensorId node, BackendId backend) {
    for (const TensorId source : context.sources(node)) {
        if (source.valid() && !context.usable(source, backend)) return false;
    }
    return true;
}

/// Not inlined: most devices always support most operations.
[[gnu::noinline]] bool asked_runs(const SchedulingContext& context, BackendId backend, TensorId node) {
    return static_cast<bool>(context.runs(backend, node));
}

bool runs(const SchedulingContext& context, BackendId backend, TensorId node) {
    return context.surely_runs(backend, node) || asked_runs(context, backend, node);
}

void upgrade(SchedulingContext& context, TensorId node) {
    const BackendId current = context.id(node);
    const BufferTypeId type = context.default_type(current);
    for (const BackendId backend : context.backends()) {
        if (backend == current) return;
        if (context.default_type(backend) != type || !runs(context, backend, node)) continue;
        if (!all_sources_usable(context, node, backend)) continue;
        Evidence evidence;
        evidence.buffer_type = type;
        context.decide(Pass::p3, node, backend, {CauseKind::upg, 0}, evidence);
        return;
    }
}

}  // namespace

/// By backend: whether one before it has the same default buffer type.
std::vector<char> upgradable_backends(const SchedulingContext& context) {
    std::vector<char> upgradable(context.backend_count());
    const auto backends = context.backends();
    for (std::size_t b = 0; b < backends.size(); ++b) {
        for (std::size_t above = 0; above < b; ++above) {
            if (context.default_type(backends[above]) == context.default_type(backends[b]))
                upgradable[backends[b].index()] = 1;
        }
    }
    return upgradable;
}

void run_best_fit_pass(SchedulingContext& context) {
    const std::vector<char> upgradable = upgradable_backends(context);
    context.for_each(context.computing(), [&](TensorId node) {
        if (const BackendId current = context.id(node); current.valid()) {
            if (upgradable[current.index()] != 0) upgrade(context, node);
        } else {
            find_best(context, node);
        }
    });
    context.end_pass(Pass::p3);
}

}  // namespace splitscope
