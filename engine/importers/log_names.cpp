// SPDX-License-Identifier: MIT
#include "engine/importers/log_names.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

struct ViewSuffix {
    std::string_view text;
    Op op;
};
constexpr auto kViewSuffixes = std::to_array<ViewSuffix>({
    {" (view)", Op::view},
    {" (reshaped)", Op::reshape},
    {" (permuted)", Op::permute},
    {" (transposed)", Op::transpose},
});

/// Removes and returns the view suffix of a name, which may be truncated.
std::optional<Op> take_step(std::string_view& name, bool cut) {
    for (const ViewSuffix& suffix : kViewSuffixes) {
        if (!name.ends_with(suffix.text)) continue;
        name.remove_suffix(suffix.text.size());
        return suffix.op;
    }
    if (!cut) return std::nullopt;
    const auto start = name.rfind(" (");
    if (start == std::string_view::npos) return std::nullopt;
    for (const ViewSuffix& suffix : kViewSuffixes) {
        if (!suffix.text.starts_with(name.substr(start))) continue;
        name = name.substr(0, start);
        return suffix.op;
    }
    return std::nullopt;
}

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<LoggedOp> logged_op(std::string_view name) {
    // Truncated, the newer operation equals the older one, which was removed years ago.
    if (name == "FLASH_ATTN") return LoggedOp{Op::flash_attn_ext, 0};
    if (const auto op = op_named(name)) return LoggedOp{*op, 0};
    if (const auto kind = unary_kind_named(name))
        return LoggedOp{Op::unary, static_cast<std::int32_t>(*kind)};
    if (const auto kind = glu_kind_named(name)) return LoggedOp{Op::glu, static_cast<std::int32_t>(*kind)};
    if (name.size() != kLoggedOpBytes) return std::nullopt;
    for (std::size_t i = 0; i < kOpCount; ++i) {
        if (name_of(static_cast<Op>(i)).starts_with(name)) return LoggedOp{static_cast<Op>(i), 0};
    }
    constexpr std::int32_t kMaxKinds = 64;
    for (std::int32_t kind = 0; kind < kMaxKinds; ++kind) {
        if (name_of(static_cast<UnaryKind>(kind)).starts_with(name)) return LoggedOp{Op::unary, kind};
        if (name_of(static_cast<GluKind>(kind)).starts_with(name)) return LoggedOp{Op::glu, kind};
    }
    return std::nullopt;
}

ViewChain view_chain(std::string_view name) {
    ViewChain chain;
    bool cut = name.size() == kLoggedNameBytes;
    while (const auto step = take_step(name, cut)) {
        chain.steps.push_back(*step);
        cut = false;
    }
    std::ranges::reverse(chain.steps);
    chain.base = name;
    return chain;
}

std::string_view suffix_of(Op step) {
    const auto* const found = std::ranges::find(kViewSuffixes, step, &ViewSuffix::op);
    return found == kViewSuffixes.end() ? std::string_view{} : found->text;
}

LeafKind leaf_kind(std::string_view name) {
    for (const std::string_view prefix :
         {"blk.", "enc.", "dec.", "token_embd", "position_embd", "token_types", "per_layer_token_embd",
          "output.", "output_norm", "rope_freqs", "rope_factors", "cls.", "v.", "mm."}) {
        if (name.starts_with(prefix)) return LeafKind::weights;
    }
    for (const std::string_view suffix : {".weight", ".bias", ".scale"}) {
        if (name.ends_with(suffix)) return LeafKind::weights;
    }
    for (const std::string_view prefix : {"cache_k_l", "cache_v_l", "cache_r_l", "cache_s_l"}) {
        if (name.starts_with(prefix) && is_number(name.substr(prefix.size()))) return LeafKind::cache;
    }
    if (name.starts_with("leaf_") && is_number(name.substr(5))) return LeafKind::input;
    for (const std::string_view part : {"inp", "mask", "_pos", "_ids", "_idxs", "tokens"}) {
        if (name.find(part) != std::string_view::npos) return LeafKind::input;
    }
    return LeafKind::unknown;
}

std::string completed(std::string_view name) {
    if (name.size() != kLoggedNameBytes) return std::string(name);
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || name.size() - dot < 2) return std::string(name);
    for (const std::string_view end : {".weight", ".bias"}) {
        if (end.starts_with(name.substr(dot))) return std::string(name.substr(0, dot)) + std::string(end);
    }
    return std::string(name);
}

std::string_view whole_characters(std::string_view text) {
    // Go back at most three continuation bytes to the start of the character.
    for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0U) == 0x80U) continue;
        const std::size_t length = byte < 0x80U    ? 1
                                   : byte >= 0xF0U ? 4
                                   : byte >= 0xE0U ? 3
                                   : byte >= 0xC0U ? 2
                                                   : 1;
        return length > back ? text.substr(0, text.size() - back) : text;
    }
    return text;
}

}  // namespace splitscope
