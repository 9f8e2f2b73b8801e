// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/models/vocabulary.hpp"

namespace splitscope {

/// The byte represented by a token such as "<0x0A>".
inline std::optional<char> byte_of(std::string_view text) {
    unsigned value = 0;
    if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>')) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, value, 16);
    if (error != std::errc() || end != text.data() + 5) return std::nullopt;
    return static_cast<char>(value);
}

/// The token of each byte; -1 where the vocabulary has none.
using ByteTokens = std::array<std::int32_t, 256>;

inline ByteTokens byte_tokens_of(const Vocabulary& vocabulary) {
    ByteTokens tokens{};
    tokens.fill(-1);
    for (std::size_t i = 0; i < vocabulary.tokens().size(); ++i) {
        const Token& token = vocabulary.tokens()[i];
        if (token.kind != TokenKind::byte) continue;
        if (const auto byte = byte_of(token.text))
            tokens[static_cast<unsigned char>(*byte)] = static_cast<std::int32_t>(i);
    }
    return tokens;
}

}  // namespace splitscope
