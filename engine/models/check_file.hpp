// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/formats/gguf.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

/// Why no engine can load or run the model, of whatever architecture: metadata that makes no sense, tensors
/// that do not lie one behind the other. Nothing when no such thing was found, which is no promise.
std::optional<Error> why_not_loadable(const GgufFile& file);

/// What an error about the file says, without the file's path: "'llama.rope.freq_base': missing".
Message reason_in(const GgufFile& file, const Error& error);

}  // namespace splitscope
