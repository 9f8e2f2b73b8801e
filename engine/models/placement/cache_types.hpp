// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/placement/placement_flags.hpp"

namespace splitscope {

/// Why llama.cpp refuses the cache types of these flags for the model; empty if it does not, or if the model
/// has no attention caches. Throws Error(bad_file) for invalid files.
std::optional<Message> why_impossible(const GgufFile& file, const PlacementFlags& flags);

}  // namespace splitscope
