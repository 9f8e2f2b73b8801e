// SPDX-License-Identifier: MIT
#include "engine/scheduler/explain.hpp"

#include "backends/interface/messages.hpp"
#include "engine/messages/messages.hpp"
#include "engine/scheduler/messages.hpp"

namespace splitscope {
namespace {

Name buffer_type_name(const Schedule& schedule, BufferTypeId type) {
    const auto& types = schedule.machine->buffer_types;
    return type.valid() && type.index() < types.size() ? Name(types[type.index()].name) : Name("?");
}

/// The role of the tensor on which a decision is based.
Message via(const Schedule& schedule, const Decision& decision,
            const std::function<std::string(TensorId)>& name_of_tensor) {
    const Evidence& evidence = decision.evidence;
    const bool has_via = evidence.via.valid();
    const bool has_type = evidence.buffer_type.valid();
    const auto tensor = [&] {
        const std::string name =
            name_of_tensor ? name_of_tensor(evidence.via) : schedule.tensor(evidence.via).name;
        return evidence.source_slot < 0 ? Message::verbatim(name)
                                        : msg::kOfSource(name, evidence.source_slot);
    };
    const auto type = [&] { return buffer_type_name(schedule, evidence.buffer_type); };
    switch (decision.cause.kind) {
        case CauseKind::none:
        case CauseKind::usr:
        case CauseKind::inp:
            return {};
        case CauseKind::dst:
            return has_type ? msg::kResidesIn(type()) : Message();
        case CauseKind::upg:
            return has_type ? msg::kSameBufferType(type()) : Message();
        case CauseKind::best:
            return evidence.usable_sources < 0 ? Message() : msg::kUsableSources(evidence.usable_sources);
        default:
            break;
    }
    if (!has_via) return {};
    switch (decision.cause.kind) {
        case CauseKind::vsrc1:
            return has_type ? msg::kViewsIn(tensor(), type()) : msg::kViews(tensor());
        case CauseKind::off:
        case CauseKind::wgt:
            return has_type ? msg::kReadsIn(tensor(), type()) : msg::kReads(tensor());
        case CauseKind::vsrc3:
        case CauseKind::vsrc4:
            return msg::kViews(tensor());
        case CauseKind::cur3:
        case CauseKind::cur4:
            return msg::kFirstReadBy(tensor());
        case CauseKind::cpy:
            return msg::kCopyFor(tensor());
        default:
            return msg::kSpreadFrom(tensor());
    }
}

}  // namespace

Message explain(Cause cause) {
    switch (cause.kind) {
        case CauseKind::none:
            return msg::kCauseNone;
        case CauseKind::usr:
            return msg::kCauseUser;
        case CauseKind::dst:
            return msg::kCauseInBuffer;
        case CauseKind::vsrc1:
            return msg::kCauseViewedInBuffer;
        case CauseKind::inp:
            return msg::kCauseInput;
        case CauseKind::off:
            return msg::kCauseOffload;
        case CauseKind::wgt:
            return msg::kCauseWeights(cause.source);
        case CauseKind::sup:
            return msg::kCauseSupported;
        case CauseKind::best:
            return msg::kCauseBest;
        case CauseKind::upg:
            return msg::kCauseUpgrade;
        case CauseKind::vsrc3:
        case CauseKind::vsrc4:
            return msg::kCauseViewed;
        case CauseKind::cur3:
        case CauseKind::cur4:
            return msg::kCauseReader;
        case CauseKind::cpy:
            return msg::kCauseCopy;
        case CauseKind::sweep1:
        case CauseKind::sweep3:
            return msg::kCauseSpreadUp;
        case CauseKind::sweep2:
        case CauseKind::sweep4:
            return msg::kCauseSpreadDown;
    }
    return {};
}

Message pass_purpose(Pass pass, Generation generation) {
    const bool first = generation == Generation::g2024_01;
    switch (pass) {
        case Pass::user:
            return msg::kPassUser;
        case Pass::p1:
            return first ? msg::kPassFixed : msg::kPassFixedInputs;
        case Pass::p2_1:
            return first ? msg::kPassAcceleratorsUp : msg::kPassAcceleratorsDown;
        case Pass::p2_2:
            return first ? msg::kPassAcceleratorsDown : msg::kPassAcceleratorsUp;
        case Pass::p2_3:
            return first ? msg::kPassAllUp : msg::kPassAllDownWithCpu;
        case Pass::p2_4:
            return first ? msg::kPassAllDown : msg::kPassAllUpWithCpu;
        case Pass::p3:
            return first ? msg::kPassViewsAndSources : msg::kPassBestFit;
        case Pass::p4:
            return first ? msg::kPassSplit : msg::kPassViewsAndSources;
        case Pass::p5:
            return msg::kPassSplitInPlace;
    }
    return {};
}

Message explain(const Schedule& schedule, TensorId tensor, const Refusal& refusal, BufferTypeId buffer_type) {
    if (refusal.buffer_type_refused) {
        return buffer_type.valid() ? msg::kCannotUseBufferType(buffer_type_name(schedule, buffer_type))
                                   : Message(msg::kCannotUseThatBuffer);
    }
    const GraphView view = schedule.view();
    return describe(refusal.op, {view, tensor});
}

Message evidence_of(const Schedule& schedule, const Decision& decision,
                    const std::function<std::string(TensorId)>& name) {
    std::vector<Message> facts;
    if (Message fact = via(schedule, decision, name); !fact.empty()) facts.push_back(std::move(fact));
    const Evidence& evidence = decision.evidence;
    const auto& backends = schedule.machine->backends;
    for (std::uint32_t i = 0; i < evidence.refusal_count; ++i) {
        const std::size_t index = std::size_t{evidence.first_refusal} + i;
        if (index >= schedule.refusals.size()) break;
        const Refusal& refusal = schedule.refusals[index];
        facts.push_back(
            msg::kDeviceRefuses(backends[refusal.backend.index()].name,
                                explain(schedule, decision.tensor, refusal, evidence.buffer_type)));
    }
    return facts.empty() ? Message() : Message::list(std::move(facts), msg::kSemicolon);
}

}  // namespace splitscope
