// SPDX-License-Identifier: MIT
#include "engine/importers/log_facts.hpp"

#include <array>
#include <charconv>

#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// The text between `before` and `after`; empty if one of them is missing.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
    const auto start = line.find(before);
    if (start == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(start + before.size());
    const auto end = rest.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    return trim(rest.substr(0, end));
}

template <class Number>
std::optional<Number> number_at(std::string_view text) {
    text = trim(text);
    Number value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{}) return std::nullopt;
    return value;
}

std::string_view last_word(std::string_view text) {
    text = trim(text);
    const auto blank = text.rfind(' ');
    return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

struct BufferPhrase {
    std::string_view text;
    LoggedBufferKind kind;
};
constexpr auto kBufferPhrases = std::to_array<BufferPhrase>({
    {" model buffer size", LoggedBufferKind::weights},
    {" KV buffer size", LoggedBufferKind::cache},
    {" RS buffer size", LoggedBufferKind::cache},
    {" output buffer size", LoggedBufferKind::output},
    {" compute buffer size", LoggedBufferKind::compute},
    {" buffer size", LoggedBufferKind::weights},
});

bool take_buffer(LogFacts& facts, std::string_view line, std::size_t number) {
    for (const BufferPhrase& phrase : kBufferPhrases) {
        const auto at = line.find(phrase.text);
        if (at == std::string_view::npos) continue;
        std::string_view rest = line.substr(at + phrase.text.size());
        const auto equals = rest.find('=');
        if (equals == std::string_view::npos || !trim(rest.substr(0, equals)).empty()) return false;
        rest.remove_prefix(equals + 1);
        const auto mib = number_at<double>(rest);
        const std::string_view type = last_word(line.substr(0, at));
        if (!mib || type.empty() || rest.find("MiB") == std::string_view::npos) return false;
        if (facts.buffers.size() < kMaxLogFacts) {
            facts.buffers.push_back({phrase.kind, std::string(type), *mib, number});
        }
        return true;
    }
    return false;
}

bool take_layer(LogFacts& facts, std::string_view line) {
    const auto layer = between(line, "layer ", " assigned to device ");
    if (!layer || layer->find_first_not_of("0123456789") != std::string_view::npos) return false;
    const auto index = number_at<std::int64_t>(*layer);
    std::string_view device = line.substr(line.find(" assigned to device ") + 20);
    device = trim(device.substr(0, device.find(',')));
    if (!index || device.empty()) return false;
    for (LoggedLayer& known : facts.layers) {
        if (known.layer != *index) continue;
        known.device = device;
        return true;
    }
    if (facts.layers.size() < kMaxLogFacts) facts.layers.push_back({*index, std::string(device)});
    return true;
}

bool take_override(LogFacts& facts, std::string_view line) {
    constexpr std::string_view kPhrase = ") buffer type overridden to ";
    const auto at = line.find(kPhrase);
    const auto tensor = between(line, "tensor ", " (");
    if (at == std::string_view::npos || !tensor) return false;
    if (facts.overrides.size() < kMaxLogFacts) {
        facts.overrides.push_back(
            {std::string(*tensor), std::string(trim(line.substr(at + kPhrase.size())))});
    }
    return true;
}

bool take_counts(LogFacts& facts, std::string_view line) {
    if (const auto at = line.find("graph nodes"); at != std::string_view::npos) {
        const auto equals = line.find('=', at);
        if (equals == std::string_view::npos) return false;
        facts.graph_nodes = number_at<std::int64_t>(line.substr(equals + 1));
        return facts.graph_nodes.has_value();
    }
    const auto at = line.find("graph splits");
    if (at == std::string_view::npos) return false;
    const auto equals = line.find('=', at);
    if (equals == std::string_view::npos) return false;
    const std::string_view rest = line.substr(equals + 1);
    const auto prompt = number_at<std::int64_t>(rest);
    if (!prompt) return false;
    facts.splits_prompt = prompt;
    facts.splits_decode = prompt;
    if (const auto decode = between(rest, "),", "(with bs=1)")) {
        facts.splits_decode = number_at<std::int64_t>(*decode);
    }
    return true;
}

bool take_message(LogFacts& facts, std::string_view line, std::size_t number) {
    constexpr auto kPhrases = std::to_array<std::string_view>({
        "pre-allocated tensor (",
        "failed to allocate ",
        "pipeline parallelism enabled",
        ") is assigned to device ",
        " is assigned to device ",
    });
    for (const std::string_view phrase : kPhrases) {
        if (line.find(phrase) == std::string_view::npos) continue;
        if (facts.messages.size() < kMaxLogFacts) {
            facts.messages.push_back({number, std::string(trim(line).substr(0, kMaxLogMessageBytes))});
        }
        return true;
    }
    return false;
}

}  // namespace

std::string_view name_of(LoggedBufferKind kind) {
    switch (kind) {
        case LoggedBufferKind::weights:
            return "weights";
        case LoggedBufferKind::cache:
            return "cache";
        case LoggedBufferKind::output:
            return "output";
        case LoggedBufferKind::compute:
            return "compute";
    }
    return "";
}

bool LogFacts::take(std::string_view line, std::size_t number) {
    if (const auto at = line.find("sched copies = "); at != std::string_view::npos) {
        copies = number_at<std::int64_t>(line.substr(at + 15));
        return copies.has_value();
    }
    return take_buffer(*this, line, number) || take_layer(*this, line) || take_override(*this, line) ||
           take_counts(*this, line) || take_message(*this, line, number);
}

}  // namespace splitscope
