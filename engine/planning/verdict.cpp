// SPDX-License-Identifier: MIT
#include "engine/planning/verdict.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/messages.hpp"
#include "engine/models/check_file.hpp"
#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"fits", "lacks", "need-known", "not-known", "cannot-run"};
constexpr std::size_t kMaxNamed = 4;

ModelPlacement all_on_cpu() {
    ModelPlacement placement;
    placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("CPU"); };
    placement.cache_buffer = [](std::int32_t) { return std::string("CPU"); };
    return placement;
}

}  // namespace

std::string_view name_of(Verdict::Kind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

Verdict Verdict::of(const Error& error, const GgufFile& file) {
    const bool no_engine_can = error.kind() == ErrorKind::bad_file || error.kind() == ErrorKind::placement;
    return no_engine_can ? cannot_run(error, file) : not_known(error, file);
}

Verdict Verdict::not_known(const Error& error, const GgufFile& file) {
    return {Kind::not_known, reason_in(file, error), {}, error.remedy()};
}

Verdict Verdict::cannot_run(const Error& error, const GgufFile& file) {
    return {Kind::cannot_run, reason_in(file, error), {}, error.remedy()};
}

bool Verdict::lacks_only_pages() const {
    return !shortages.empty() && std::ranges::all_of(shortages, &Shortage::pages);
}

Message Verdict::text() const {
    switch (kind) {
        case Kind::fits:
            return msg::kFits;
        case Kind::need_known:
            return msg::kDeviceMemoryNotKnown;
        case Kind::not_known:
            return msg::kNotKnownWhetherFits(reason);
        case Kind::cannot_run:
            return msg::kCannotRunFor(reason);
        case Kind::lacks:
            break;
    }
    if (lacks_only_pages())
        return msg::kStartsWithoutPages(shortages.front().bytes, shortages.front().device);
    std::vector<Message> lacking;
    for (const Shortage& shortage : shortages)
        lacking.push_back(msg::kDeviceLacks(shortage.device, shortage.bytes));
    return msg::kDoesNotFitFor(Message::list(std::move(lacking), msg::kComma));
}

std::optional<Verdict> why_no_model(const GgufFile& file) {
    if (const auto error = why_not_loadable(file)) return Verdict::cannot_run(*error, file);
    try {
        // The model's lifetime is shorter than the file's.
        make_model(std::shared_ptr<const GgufFile>(std::shared_ptr<void>(), &file));
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) throw;
        return Verdict::of(error, file);
    }
    return std::nullopt;
}

std::optional<Verdict> why_not_planned(const GgufFile& file, const Model* model, Message* unread) {
    if (model == nullptr) {
        auto why = why_no_model(file);
        return why ? why : Verdict::not_known(msg::kModelNotRead);
    }
    if (const auto error = why_not_loadable(file)) return Verdict::cannot_run(*error, file);
    try {
        const auto left = unread_tensors(file, model->build_graph({}, all_on_cpu()), encoder_weights(*model));
        if (unread != nullptr) *unread = left.empty() ? Message() : unread_text(file, left);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) throw;
        return Verdict::of(error, file);
    }
    return std::nullopt;
}

std::vector<WeightBinding> encoder_weights(const Model& model) {
    if (!model.decoder_start()) return {};
    ModelGraphOptions options;
    options.encodes = true;
    options.outputs = options.tokens;
    return model.build_graph(options, all_on_cpu()).weights;
}

std::vector<std::size_t> unread_tensors(const GgufFile& file, const ModelGraph& graph,
                                        const std::vector<WeightBinding>& encoder) {
    std::vector<bool> read(file.tensors().size());
    for (const auto* weights : {&graph.weights, &encoder})
        for (const WeightBinding& weight : *weights) read[weight.file_tensor] = true;
    std::vector<std::size_t> unread;
    for (std::size_t i = 0; i < read.size(); ++i)
        if (!read[i]) unread.push_back(i);
    return unread;
}

Message unread_text(const GgufFile& file, const std::vector<std::size_t>& unread) {
    std::uint64_t bytes = 0;
    std::string names;
    for (std::size_t i = 0; i < unread.size(); ++i) {
        const GgufTensor& tensor = file.tensors()[unread[i]];
        bytes += tensor.bytes;
        if (i < kMaxNamed) names += fmt::format("{}{}", i == 0 ? "" : ", ", tensor.name);
    }
    if (unread.size() > kMaxNamed) names += ", …";
    return msg::kUnreadTensors(unread.size(), bytes, names);
}

}  // namespace splitscope
