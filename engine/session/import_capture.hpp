// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/formats/capture_json.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// One graph of a recording, with its machine and what was decided; without `number` the main one. Throws
/// Error(bad_file) when the recording holds none and Error(usage) when there is no such graph.
std::shared_ptr<OpenedFile> open_captured_graph(Capture capture,
                                                std::optional<std::size_t> number = std::nullopt);

}  // namespace splitscope
