// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace splitscope {

/// How the embeddings of a sequence's tokens become one vector (--pooling); the values are those of the key
/// "pooling_type".
enum class Pooling : std::uint8_t {
    none,   ///< one vector per token
    mean,   ///< of all tokens
    first,  ///< that of the first token ("cls")
    last,   ///< that of the last token
    rank    ///< scores of a reranker
};

inline constexpr std::array kPoolings = {Pooling::none, Pooling::mean, Pooling::first, Pooling::last,
                                         Pooling::rank};

/// llama.cpp's word: "none", "mean", "cls", "last" or "rank".
std::string_view name_of(Pooling pooling);
std::optional<Pooling> pooling_named(std::string_view name);

}  // namespace splitscope
