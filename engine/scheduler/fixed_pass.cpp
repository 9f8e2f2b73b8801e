// SPDX-License-Identifier: MIT
// Pass 1: tensors fixed by buffers, flags and weights (scheduler.md §3.2, §10).

#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {
namespace {

using Home = SchedulerPolicy::Home;
using Offload = SchedulerPolicy::Offload;

class FixedPass {
 public:
    explicit FixedPass(SchedulingContext& context) : context_(context), policy_(context.policy()) {}

    void run() {
        context_.for_each(context_.graph().leafs, [&](TensorId leaf) { assign(leaf); });
        context_.for_each(context_.graph().nodes, [&](TensorId node) {
            // An assigned node is skipped together with its sources.
            if (context_.id(node).valid()) return;
            assign(node);
            if (!policy_.pass1_assigns_sources) return;
            for (const TensorId source : context_.sources(node)) {
                if (source.valid()) assign(source);
            }
        });
    }

 private:
    void assign(TensorId t) {
        if (context_.id(t).valid()) return;
        const bool reads_weights = has(context_.traits_of_sources(t), TensorTraits::weights);
        if (reads_weights || !context_.is_free(t)) find_backend(t);
    }

    /// Not inlined: most tensors do not need it.
    [[gnu::noinline]] void find_backend(TensorId t) {
        if (has(context_.traits(t) | context_.traits(context_.view_src(t)), TensorTraits::buffer)) {
            if (assign_home(t, t, CauseKind::dst)) return;
            if (context_.is_view(t) && assign_home(context_.view_src(t), t, CauseKind::vsrc1)) return;
            stop_preallocated_nowhere(t);
        }
        if (policy_.input_flag_means_cpu && context_.is_input(t)) {
            context_.decide(Pass::p1, t, context_.cpu(), {CauseKind::inp, 0});
            return;
        }
        follow_weights(t);
    }

    /// The first backend that can use x's buffer and, if the generation checks it, run t's operation.
    BackendId home(TensorId x, TensorId t, BufferTypeId& type) {
        type = policy_.home == Home::viewed_buffer_if_runs ? context_.memory_type(x) : context_.own_type(x);
        if (!type.valid()) return {};
        const BackendId owner = context_.compute_buffer_owner(x);
        if (policy_.knows_compute_buffers && owner.valid() && context_.live().machine->uses(owner))
            return owner;
        for (const BackendId backend : context_.backends()) {
            if (!context_.takes(backend, type)) {
                context_.refused({backend, true, {}});
                continue;
            }
            if (policy_.home == Home::own_buffer) return backend;
            const OpSupport support = context_.runs(backend, t);
            if (support) return backend;
            context_.refused({backend, false, support});
        }
        if (policy_.home == Home::own_buffer) stop_type_not_taken(x, type);
        return {};
    }

    [[noreturn]] void stop_preallocated_nowhere(TensorId t) {
        const Tensor& tensor = context_.graph()[t];
        context_.stop_unplaced(msg::kPreallocatedNowhere(tensor.name, name_of(tensor.op)), t);
    }
    [[noreturn]] void stop_type_not_taken(TensorId x, BufferTypeId type) {
        const std::string& name = context_.live().buffer_types[type.index()]->name();
        context_.stop_unplaced(msg::kNoBackendTakesType(name, context_.graph()[x].name), x);
    }

    bool assign_home(TensorId x, TensorId t, CauseKind cause) {
        BufferTypeId type;
        const BackendId backend = home(x, t, type);
        if (!backend.valid()) return false;
        Evidence evidence;
        evidence.buffer_type = type;
        if (x != t) evidence.via = x;
        context_.decide(Pass::p1, t, backend, {cause, 0}, evidence);
        return true;
    }

    /// The first source in a weights buffer decides, even if no backend supports both.
    void follow_weights(TensorId t) {
        const auto sources = context_.sources(t);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (!sources[i].valid() || !context_.in_weights_buffer(sources[i])) continue;
            if (policy_.weight_blind_ops.contains(context_.op(t))) return;
            BufferTypeId type;
            const BackendId backend = home(sources[i], t, type);
            Evidence evidence;
            evidence.via = sources[i];
            evidence.source_slot = static_cast<std::int8_t>(i);
            evidence.buffer_type = type;
            if (offload_allowed(backend, sources[i])) {
                const BackendId taker = offering_backend(backend, t);
                if (taker.valid()) {
                    context_.decide(Pass::p1, t, taker, {CauseKind::off, 0}, evidence);
                    return;
                }
            }
            context_.decide(Pass::p1, t, backend, {CauseKind::wgt, static_cast<std::uint8_t>(i)}, evidence);
            return;
        }
    }

    bool offload_allowed(BackendId home, TensorId weights) const {
        if (policy_.offload == Offload::never || home != context_.cpu()) return false;
        if (policy_.offload == Offload::weights_on_last) return true;
        return context_.op_offload() &&
               context_.live().buffer_types[context_.own_type(weights).index()]->is_host();
    }

    BackendId offering_backend(BackendId below, TensorId t) {
        for (const BackendId backend : context_.backends()) {
            if (backend == below) break;
            const OpSupport support = context_.runs(backend, t);
            if (!support) {
                context_.refused({backend, false, support});
            } else if (context_.offers(backend, t)) {
                return backend;
            }
        }
        return {};
    }

    SchedulingContext& context_;
    const SchedulerPolicy& policy_;
};

}  // namespace

void run_fixed_pass(SchedulingContext& context) {
    FixedPass(context).run();
    context.end_pass(Pass::p1);
}

}  // namespace splitscope
