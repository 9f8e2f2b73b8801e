// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "engine/formats/gguf.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

/// As many as llama.cpp has room for.
inline constexpr std::uint64_t kMaxLoadedBlocks = 512;

/// Why no program can load or run the model, whatever its architecture: invalid metadata, or tensors with
/// gaps between them. Empty if no such error was found, which is not a guarantee.
std::optional<Error> why_not_loadable(const GgufFile& file);

/// The message of an error about the file, without the file's path: "'llama.rope.freq_base': missing".
Message reason_in(const GgufFile& file, const Error& error);

}  // namespace splitscope
