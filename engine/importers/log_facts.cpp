// SPDX-License-Identifier: MIT
#include "engine/importers/log_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

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

constexpr std::string_view kComputeBuffer = " compute buffer size";
constexpr auto kBufferPhrases = std::to_array<std::string_view>({
    " model buffer size",
    " KV buffer size",
    " RS buffer size",
    " output buffer size",
    kComputeBuffer,
    " buffer size",
});

bool take_buffer(LogFacts& facts, std::string_view line) {
    for (const std::string_view phrase : kBufferPhrases) {
        const auto at = line.find(phrase);
        if (at == std::string_view::npos) continue;
        std::string_view rest = line.substr(at + phrase.size());
        const auto equals = rest.find('=');
        if (equals == std::string_view::npos || !trim(rest.substr(0, equals)).empty()) return false;
        rest.remove_prefix(equals + 1);
        const std::string_view type = last_word(line.substr(0, at));
        if (!number_at<double>(rest) || type.empty() || rest.find("MiB") == std::string_view::npos)
            return false;
        if (phrase == kComputeBuffer && facts.compute_buffers.size() < kMaxLogFacts)
            facts.compute_buffers.emplace_back(type);
        return true;
    }
    return false;
}

bool is_layer(std::string_view line) {
    constexpr std::string_view kPhrase = " assigned to device ";
    const auto layer = between(line, "layer ", kPhrase);
    if (!layer || layer->find_first_not_of("0123456789") != std::string_view::npos) return false;
    const std::string_view device = line.substr(line.find(kPhrase) + kPhrase.size());
    return number_at<std::int64_t>(*layer) && !trim(device.substr(0, device.find(','))).empty();
}

bool is_override(std::string_view line) {
    return line.find(") buffer type overridden to ") != std::string_view::npos &&
           between(line, "tensor ", " (");
}

bool is_count(std::string_view line) {
    for (const std::string_view phrase : {"graph nodes", "graph splits"}) {
        const auto at = line.find(phrase);
        if (at == std::string_view::npos) continue;
        const auto equals = line.find('=', at);
        return equals != std::string_view::npos && number_at<std::int64_t>(line.substr(equals + 1));
    }
    return false;
}

bool is_message(std::string_view line) {
    constexpr auto kPhrases = std::to_array<std::string_view>({
        "pre-allocated tensor (",
        "failed to allocate ",
        "pipeline parallelism enabled",
        " is assigned to device ",
    });
    return std::ranges::any_of(
        kPhrases, [&](std::string_view phrase) { return line.find(phrase) != std::string_view::npos; });
}

}  // namespace

bool LogFacts::take(std::string_view line) {
    constexpr std::string_view kCopies = "sched copies = ";
    if (const auto at = line.find(kCopies); at != std::string_view::npos) {
        copies = number_at<std::int64_t>(line.substr(at + kCopies.size()));
        return copies.has_value();
    }
    return take_buffer(*this, line) || is_layer(line) || is_override(line) || is_count(line) ||
           is_message(line);
}

}  // namespace splitscope
