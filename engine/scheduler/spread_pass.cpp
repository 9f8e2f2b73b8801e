// SPDX-License-Identifier: MIT
// Pass 2: backends spread to unassigned neighbours in four sweeps (scheduler.md §3.3, §10).
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {
namespace {

/// Sweeps visit only the unassigned nodes: of the others, just the last one before an unassigned node
/// matters.
class SpreadPass {
 public:
    explicit SpreadPass(SchedulingContext& context)
        : context_(context), asks_support_(context.policy().sweeps_ask_support), nodes_(context.computing()) {
        list_.resize(nodes_.size());
        std::size_t count = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            list_[count] = static_cast<std::uint32_t>(i);
            count += context.id(nodes_[i]).valid() ? 0 : 1;
        }
        unassigned_ = std::span(list_).first(count);
    }

    void run() {
        for (const SweepPolicy& sweep : context_.policy().sweeps) {
            if (sweep.upwards) {
                sweep_up(sweep);
            } else {
                sweep_down(sweep);
            }
            context_.end_pass(sweep.pass);
        }
    }

 private:
    /// The backend that spreads, and the node that it comes from.
    struct Carrier {
        BackendId backend;
        TensorId node;
    };

    Carrier carrier_at(TensorId node, const SweepPolicy& sweep) const {
        const BackendId assigned = context_.id(node);
        if (sweep.stops_at_cpu && assigned == context_.cpu()) return {};
        return {assigned, node};
    }

    /// Both keep the nodes that remain unassigned, in order.
    void sweep_down(const SweepPolicy& sweep) {
        const auto nodes = nodes_;
        const auto unassigned = unassigned_;
        Carrier carrier;
        std::size_t next = 0;
        std::size_t kept = 0;
        context_.for_each(unassigned, [&](std::uint32_t at) {
            if (at != next) carrier = carrier_at(nodes[at - 1], sweep);
            next = std::size_t{at} + 1;
            unassigned[kept] = at;
            kept += visit(nodes[at], carrier, sweep) ? 0 : 1;
        });
        unassigned_ = unassigned.first(kept);
    }
    void sweep_up(const SweepPolicy& sweep) {
        const auto nodes = nodes_;
        const auto unassigned = unassigned_;
        Carrier carrier;
        std::size_t next = nodes.size();
        std::size_t first_kept = unassigned.size();
        for (std::size_t i = unassigned.size(); i-- > 0;) {
            context_.step();
            const std::uint32_t at = unassigned[i];
            if (at + 1 != next) carrier = carrier_at(nodes[at + 1], sweep);
            next = at;
            unassigned[first_kept - 1] = at;
            first_kept -= visit(nodes[at], carrier, sweep) ? 0 : 1;
        }
        unassigned_ = unassigned.subspan(first_kept);
    }

    /// Whether the node has a backend afterwards.
    bool visit(TensorId node, Carrier& carrier, const SweepPolicy& sweep) {
        // A node that the graph lists twice.
        if (context_.id(node).valid()) {
            carrier = carrier_at(node, sweep);
            return true;
        }
        if (asks_support_) {
            if (!carrier.backend.valid()) return false;
            // Otherwise the spread skips the node.
            if (!context_.surely_runs(carrier.backend, node) && !runs(carrier.backend, node)) return false;
        }
        Evidence evidence;
        evidence.via = carrier.node;
        context_.decide(sweep.pass, node, carrier.backend, {sweep.cause, 0}, evidence);
        return carrier.backend.valid();
    }

    /// Not inlined: most devices always support most operations.
    [[gnu::noinline]] bool runs(BackendId backend, TensorId node) {
        const OpSupport support = context_.runs(backend, node);
        if (!support) context_.refused_later(node, {backend, false, support});
        return static_cast<bool>(support);
    }

    SchedulingContext& context_;
    bool asks_support_;
    std::span<const TensorId> nodes_;
    std::vector<std::uint32_t> list_;
    std::span<std::uint32_t> unassigned_;  ///< part of list_, positions in nodes_
};

}  // namespace

void run_spread_pass(SchedulingContext& context) {
    SpreadPass(context).run();
}

}  // namespace splitscope
