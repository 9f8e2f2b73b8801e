// SPDX-License-Identifier: MIT
#include "engine/session/verify_schedule.hpp"

#include <algorithm>
#include <any>
#include <set>
#include <utility>

#include "backends/interface/native_scheduler.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using Copies = std::set<std::pair<TensorId, BackendId>>;

NativeScheduler scheduler_of(const Analysis& analysis) {
    const Session& session = analysis.session;
    const MachineBackend& first = analysis.machine->backends[analysis.machine->scheduled().front().index()];
    BackendKind* const kind = session.kinds == nullptr ? nullptr : session.kinds->kind_of(first);
    std::any found = kind == nullptr ? std::any() : kind->extra_function(kNativeScheduler);
    if (auto* const function = std::any_cast<NativeScheduler>(&found)) return *function;
    throw Error(ErrorKind::unsupported, msg::kNoOwnScheduler, first.name, msg::kNameDevicesWithScheduler);
}

/// Only the first of several pipeline copies; the others are equal.
Copies copies_in(const Schedule& schedule) {
    Copies copies;
    for (const AddedTensor& info : schedule.added_info) {
        if (info.kind == AddedTensor::Kind::copy && info.copy == schedule.current_copy)
            copies.emplace(info.original, info.backend);
    }
    return copies;
}

std::vector<std::uint64_t> compute_bytes(const AllocationPlan& plan) {
    std::vector<std::uint64_t> bytes;
    for (const AllocationPlan::BufferInfo& buffer : plan.buffers) bytes.push_back(buffer.size);
    return bytes;
}

class Verifying {
 public:
    Verifying(const Analysis& analysis, const NativeSchedule& theirs)
        : analysis_(analysis), ours_(*analysis.schedule), theirs_(theirs) {}

    ScheduleVerification take() {
        compare_backends();
        compare_splits();
        compare_copies();
        compare_sizes();
        return std::move(result_);
    }

    /// Of a recorded schedule; `held`: the scheduler's buffers.
    ScheduleVerification take_recorded(const std::vector<std::uint64_t>& held) {
        compare_backends();
        if (theirs_.splits > 0) {
            compare_splits();
            compare_copies();
        }
        const auto own = compute_bytes(*analysis_.plan);
        for (std::size_t i = 0; i < own.size() && held.size() == own.size(); ++i)
            result_.sizes.push_back({ours_.machine->backends[i].name, own[i], held[i]});
        return std::move(result_);
    }

 private:
    const std::string& name_of(BackendId backend) const {
        static const std::string kNone = "-";
        return backend.valid() ? ours_.machine->backends[backend.index()].name : kNone;
    }
    const std::string& tensor(TensorId id) const { return (*ours_.graph)[id].name; }
    void differ(Message how) {
        if (result_.first.empty()) result_.first = std::move(how);
    }

    void compare_backends() {
        // Nodes in order, then their sources.
        std::vector<TensorId> order = ours_.graph->nodes;
        order.insert(order.end(), ours_.graph->leafs.begin(), ours_.graph->leafs.end());
        for (const TensorId id : order) {
            const BackendId own = ours_.backend[id.index()];
            const BackendId their = theirs_.backend[id.index()];
            if (!their.valid()) continue;
            ++result_.tensors;
            if (own == their) continue;
            ++result_.elsewhere;
            differ(msg::kVerifyElsewhere(tensor(id), name_of(their), name_of(own)));
        }
    }

    void compare_splits() {
        result_.our_splits = ours_.splits.size();
        result_.their_splits = theirs_.splits;
        if (result_.our_splits != result_.their_splits)
            differ(msg::kVerifySplits(result_.their_splits, result_.our_splits));
    }

    void compare_copies() {
        const Copies own = copies_in(ours_);
        const Copies their(theirs_.copies.begin(), theirs_.copies.end());
        result_.our_copies = own.size();
        result_.their_copies = their.size();
        for (const auto& [id, backend] : their)
            if (!own.contains({id, backend})) differ(msg::kVerifyTheirCopy(tensor(id), name_of(backend)));
        for (const auto& [id, backend] : own)
            if (!their.contains({id, backend})) differ(msg::kVerifyOurCopy(tensor(id), name_of(backend)));
    }

    void compare_sizes() {
        const auto own = compute_bytes(*analysis_.plan);
        if (theirs_.compute_bytes.size() != own.size()) return;
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::string& backend = ours_.machine->backends[i].name;
            result_.sizes.push_back({backend, own[i], theirs_.compute_bytes[i]});
            if (own[i] != theirs_.compute_bytes[i])
                differ(msg::kVerifySize(backend, theirs_.compute_bytes[i], own[i]));
        }
    }

    const Analysis& analysis_;
    const Schedule& ours_;
    const NativeSchedule& theirs_;
    ScheduleVerification result_;
};

void require_schedule(const Analysis& analysis) {
    if (analysis.schedule->error) {
        throw Error(analysis.schedule->error->kind, analysis.schedule->error->message, analysis.machine->name,
                    msg::kChangeMachineOrAssignments);
    }
}

}  // namespace

ScheduleVerification verify_schedule(const Analysis& analysis) {
    const NativeScheduler schedule = scheduler_of(analysis);
    require_schedule(analysis);
    return Verifying(analysis, schedule(*analysis.machine, *analysis.graph)).take();
}

ScheduleVerification verify_recorded(const Analysis& simulated, const RecordedSchedule& recorded) {
    require_schedule(simulated);
    const auto& backends = simulated.machine->backends;
    const auto here = [&](BackendId theirs) {
        if (!theirs.valid()) return BackendId();
        const auto found =
            std::ranges::find(backends, recorded.backends[theirs.index()], &MachineBackend::name);
        return found == backends.end() ? BackendId()
                                       : BackendId(static_cast<std::size_t>(found - backends.begin()));
    };
    NativeSchedule theirs;
    theirs.backend.resize(simulated.graph->tensors.size());
    for (std::size_t i = 0; i < std::min(theirs.backend.size(), recorded.backend.size()); ++i)
        theirs.backend[i] = here(recorded.backend[i]);
    theirs.splits = recorded.splits.size();
    for (const Split& split : recorded.splits)
        for (const TensorId input : split.inputs) theirs.copies.emplace_back(input, here(split.backend));
    return Verifying(simulated, theirs).take_recorded(recorded.compute_bytes);
}

Message verdict_of(const std::vector<VerifiedGraph>& graphs) {
    for (const VerifiedGraph& each : graphs)
        if (!each.verification.same()) return msg::kVerifyDiffers(each.verification.first);
    return msg::kVerifySame;
}

std::vector<VerifiedGraph> verify_graphs(Session session, const JobContext& job) {
    session.generation = kGenerations.back();
    std::vector<VerifiedGraph> verified;
    const auto add = [&](const char* name) {
        job.report_name(static_cast<double>(verified.size()) / 2, name);
        verified.push_back({name, verify_schedule(*analyse(session, JobContext(job.stop_token())))});
        job.check();
    };
    if (session.file->model == nullptr) {
        add("graph");
        return verified;
    }
    for (const GraphKind kind : {GraphKind::prefill, GraphKind::decode}) {
        session.model_options.kind = kind;
        add(kind == GraphKind::prefill ? "prompt" : "decode");
    }
    return verified;
}

}  // namespace splitscope
