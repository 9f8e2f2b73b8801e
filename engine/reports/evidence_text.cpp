// SPDX-License-Identifier: MIT
#include "engine/reports/evidence_text.hpp"

#include <fmt/format.h>

namespace splitscope {
namespace {

const std::string& buffer_type_name(const Schedule& schedule, BufferTypeId type) {
    static const std::string unknown = "?";
    const auto& types = schedule.machine->buffer_types;
    return type.valid() && type.index() < types.size() ? types[type.index()].name : unknown;
}

std::string slot_text(std::int8_t slot) {
    return slot < 0 ? std::string() : fmt::format(" (source {})", static_cast<int>(slot));
}

/// How the tensor that a decision rests on took part.
std::string via_text(const Schedule& schedule, const Decision& decision) {
    const Evidence& evidence = decision.evidence;
    const std::string via =
        evidence.via.valid() ? schedule.tensor(evidence.via).name + slot_text(evidence.source_slot) : "";
    const std::string place =
        evidence.buffer_type.valid()
            ? fmt::format("buffer type {}", buffer_type_name(schedule, evidence.buffer_type))
            : "";
    const auto with_place = [&](std::string text, std::string_view joint) {
        return place.empty() ? text : fmt::format("{}{}{}", text, joint, place);
    };
    switch (decision.cause.kind) {
        case CauseKind::none:
        case CauseKind::usr:
        case CauseKind::inp:
            return {};
        case CauseKind::dst:
            return place.empty() ? std::string() : fmt::format("lies in {}", place);
        case CauseKind::vsrc1:
            return via.empty() ? std::string() : with_place(fmt::format("views {}", via), ", which lies in ");
        case CauseKind::off:
        case CauseKind::wgt:
            return via.empty() ? std::string() : with_place(fmt::format("reads {}", via), ", which lies in ");
        case CauseKind::vsrc4:
        case CauseKind::vsrc3:
            return via.empty() ? std::string() : fmt::format("views {}", via);
        case CauseKind::cur4:
        case CauseKind::cur3:
            return via.empty() ? std::string() : fmt::format("first read by {}", via);
        case CauseKind::sup:
        case CauseKind::sweep1:
        case CauseKind::sweep2:
        case CauseKind::sweep3:
        case CauseKind::sweep4:
            return via.empty() ? std::string() : fmt::format("spread from {}", via);
        case CauseKind::best:
            return evidence.usable_sources < 0 ? std::string()
                                               : fmt::format("{} usable source{}", evidence.usable_sources,
                                                             evidence.usable_sources == 1 ? "" : "s");
        case CauseKind::upg:
            return place.empty() ? std::string() : fmt::format("same {}", place);
        case CauseKind::cpy:
            return via.empty() ? std::string() : fmt::format("for {}", via);
    }
    return {};
}

}  // namespace

const std::string& backend_name(const Schedule& schedule, BackendId backend) {
    static const std::string none = "–";
    const auto& backends = schedule.machine->backends;
    return backend.valid() && backend.index() < backends.size() ? backends[backend.index()].name : none;
}

std::string refusal_text(const Schedule& schedule, TensorId tensor, const Refusal& refusal,
                         BufferTypeId buffer_type) {
    const std::string& name = backend_name(schedule, refusal.backend);
    if (refusal.buffer_type_refused) {
        return fmt::format("{} cannot use buffer type {}", name, buffer_type_name(schedule, buffer_type));
    }
    const GraphView view = schedule.view();
    return fmt::format("{} {}", name, describe(refusal.op, {view, tensor}));
}

std::string evidence_text(const Schedule& schedule, const Decision& decision) {
    std::string text = via_text(schedule, decision);
    const Evidence& evidence = decision.evidence;
    for (std::uint32_t i = 0; i < evidence.refusal_count; ++i) {
        const std::size_t index = std::size_t{evidence.first_refusal} + i;
        if (index >= schedule.refusals.size()) break;
        if (!text.empty()) text += "; ";
        text += refusal_text(schedule, decision.tensor, schedule.refusals[index], evidence.buffer_type);
    }
    return text;
}

std::string_view pass_purpose(Pass pass, Generation generation) {
    const bool first = generation == Generation::g2024_01;
    switch (pass) {
        case Pass::user:
            return "The user's own assignments, made before the first pass.";
        case Pass::p1:
            return first
                       ? "What is already fixed: tensors that live in a buffer, and nodes that read weights."
                       : "What is already fixed: tensors that live in a buffer, inputs, and nodes that read "
                         "weights.";
        case Pass::p2_1:
            return first ? "Accelerators spread up, from last node to first."
                         : "Accelerators spread down, from first node to last.";
        case Pass::p2_2:
            return first ? "Accelerators spread down, from first node to last."
                         : "Accelerators spread up, from last node to first.";
        case Pass::p2_3:
            return first ? "Every backend spreads up." : "Every backend spreads down, the CPU included.";
        case Pass::p2_4:
            return first ? "Every backend spreads down." : "Every backend spreads up, the CPU included.";
        case Pass::p3:
            return first ? "Views and sources take the backend of what they belong to."
                         : "Unassigned nodes go where most sources are usable; others move up to a "
                           "higher-priority backend with the same buffer type.";
        case Pass::p4:
            return first ? "Cut into splits; sources on another backend are copied."
                         : "Views and sources take the backend of what they belong to.";
        case Pass::p5:
            return "Cut into splits; sources that a split cannot read in place are copied.";
    }
    return {};
}

}  // namespace splitscope
