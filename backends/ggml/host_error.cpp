// SPDX-License-Identifier: MIT
#include "backends/ggml/host_error.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "backends/ggml/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/message_body.hpp"

namespace splitscope::ggml {
namespace {

using channel::BodyReader;
using channel::BodyWriter;

constexpr std::array<const MessageText*, 16> kReasons = {
    &msg::kEngineCallFailed,    &msg::kEngineLacksFunction, &msg::kEngineLacksType,
    &msg::kEngineLayoutUnknown, &msg::kEngineReordersNodes, &msg::kEngineOutOfMemory,
    &msg::kEngineWithoutRpc,    &msg::kEngineRpcTooOld,     &msg::kNoServerAnswers,
    &msg::kNoEngineThere,       &msg::kNoHostMemory,        &msg::kNoEventsOfDevice,
    &msg::kLastOfEngineNotCpu,  &msg::kProgramReplaced,     &msg::kBadEngineRequest,
    &msg::kSameServer,
};

}  // namespace

HostError::HostError(Message reason) : runtime_error(english(reason)), reason_(std::move(reason)) {}

std::string body_of_refusal(const Message& reason) {
    BodyWriter out;
    out.put_text(reason.id());
    out.put(static_cast<std::uint8_t>(reason.arguments().size()));
    for (const Argument& argument : reason.arguments()) {
        const auto* name = std::get_if<Name>(&argument);
        out.put_text(name != nullptr ? std::string_view(name->text) : std::string_view());
    }
    return out.take();
}

Message refusal_of(std::string_view body) {
    BodyReader in(body);
    const std::string_view id = in.get_text();
    std::vector<Argument> names(std::min<std::size_t>(in.get<std::uint8_t>(), 2), Name(""));
    for (Argument& name : names) name = Name(in.get_text());
    if (!in.whole()) return Message::verbatim(std::string(body));
    if (id.empty() && !names.empty()) return Message::verbatim(std::get<Name>(names.front()).text);
    const auto row = std::ranges::find(kReasons, id, [](const MessageText* each) { return each->id; });
    if (row == kReasons.end()) return Message::verbatim(std::string(body));
    return {**row, std::move(names)};
}

}  // namespace splitscope::ggml
