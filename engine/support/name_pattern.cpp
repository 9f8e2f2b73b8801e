// SPDX-License-Identifier: MIT
#include "engine/support/name_pattern.hpp"

#include <utility>

#include <re2/re2.h>

#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/pattern_syntax.hpp"

namespace splitscope {
namespace {

RE2::Options options() {
    RE2::Options options(RE2::Latin1);
    options.set_log_errors(false);
    options.set_max_mem(kMaxPatternMemory);
    options.set_dot_nl(true);
    options.set_never_capture(true);
    return options;
}

}  // namespace

NamePattern::NamePattern(std::string_view re2_text, std::string literal, Where where)
    : compiled_(std::make_shared<const RE2>(re2::StringPiece(re2_text.data(), re2_text.size()), options())),
      literal_(std::move(literal)),
      where_(where) {
    // Its syntax was checked: it is too large.
    if (!compiled_->ok()) {
        throw Error(ErrorKind::usage, msg::kTooManyRepetitions, msg::kPlacePattern, msg::kCorrectPattern);
    }
    size_ = static_cast<std::size_t>(compiled_->ProgramSize());
}

NamePattern NamePattern::glob(std::string_view text) {
    Re2Pattern pattern = re2_of_glob(text);
    return {pattern.text, std::move(pattern.literal), Where::whole_name};
}

NamePattern NamePattern::regex(std::string_view text) {
    Re2Pattern pattern = re2_of_ecma_script(text);
    return {pattern.text, std::move(pattern.literal), Where::anywhere};
}

bool NamePattern::matches(std::string_view name) const {
    std::uint64_t steps = 0;
    return matches(name, steps);
}

bool NamePattern::matches(std::string_view name, std::uint64_t& steps) const {
    ++steps;
    if (!literal_.empty() && name.find(literal_) == std::string_view::npos) return false;
    steps += size_ * (name.size() + 1);
    return compiled_->Match({name.data(), name.size()}, 0, name.size(),
                            where_ == Where::anywhere ? RE2::UNANCHORED : RE2::ANCHOR_BOTH, nullptr, 0);
}

void PatternBudget::add(const NamePattern& pattern) {
    if (pattern.size() > kMaxPatternInstructions - size_) {
        throw Error(ErrorKind::usage, msg::kPatternsTooLarge, msg::kPlacePattern, msg::kUseFewerPatterns);
    }
    size_ += pattern.size();
}

}  // namespace splitscope
