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
        : context_(context), nodes_(context.graph().nodes), computing_(context.computing()) {
        unassigned_.resize(computing_.size());
        std::size_t count = 0;
        for (std::size_t i = 0; i < computing_.size(); ++i) {
            unassigned_[count] = static_cast<std::uint32_t>(i);
            count += context.id(node(i)).valid() ? 0 : 1;
        }
        unassigned_.resize(count);
    }

    void run() {
        for (const SweepPolicy& policy : context_.policy().sweeps) {
            sweep(policy);
            std::erase_if(unassigned_, [&](std::uint32_t i) { return context_.id(node(i)).valid(); });
        }
    }

 private:
    /// The backend that spreads, and the node that it comes from.
    struct Carrier {
        BackendId backend;
        TensorId node;
    };

    TensorId node(std::size_t computing) const { return nodes_[computing_[computing]]; }

    Carrier carrier_at(TensorId node, const SweepPolicy& sweep) const {
        const BackendId assigned = context_.id(node);
        if (sweep.stops_at_cpu && assigned == context_.cpu()) return {};
        return {assigned, node};
    }

    void sweep(const SweepPolicy& sweep) {
        const std::size_t count = unassigned_.size();
        const std::size_t before_first = sweep.upwards ? computing_.size() : static_cast<std::size_t>(-1);
        const std::size_t back = sweep.upwards ? 1 : static_cast<std::size_t>(-1);
        Carrier carrier;
        std::size_t previous = before_first;
        for (std::size_t step = 0; step < count; ++step) {
            context_.step();
            const std::size_t at = unassigned_[sweep.upwards ? count - 1 - step : step];
            if (at + back != previous) carrier = carrier_at(node(at + back), sweep);
            previous = at;
            // A node that the graph lists twice.
            if (context_.id(node(at)).valid()) {
                carrier = carrier_at(node(at), sweep);
            } else {
                take(node(at), carrier, sweep);
            }
        }
        context_.end_pass(sweep.pass);
    }

    void take(TensorId node, const Carrier& carrier, const SweepPolicy& sweep) {
        if (context_.policy().sweeps_ask_support) {
            if (!carrier.backend.valid()) return;
            const OpSupport support = context_.runs(carrier.backend, node);
            if (!support) {
                // The spread skips the node.
                context_.refused_later(node, {carrier.backend, false, support});
                return;
            }
        }
        Evidence evidence;
        evidence.via = carrier.node;
        context_.decide(sweep.pass, node, carrier.backend, {sweep.cause, 0}, evidence);
    }

    SchedulingContext& context_;
    const std::vector<TensorId>& nodes_;
    std::span<const std::uint32_t> computing_;
    std::vector<std::uint32_t> unassigned_;  ///< positions in computing_
};

}  // namespace

void run_spread_pass(SchedulingContext& context) {
    SpreadPass(context).run();
}

}  // namespace splitscope
