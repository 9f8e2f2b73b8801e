// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/formats/capture_json.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Opens one graph of a recording with its machine and decisions; without `number` the main graph. Throws
/// Error(bad_file) if the recording has no graphs and Error(usage) if the number is out of range.
std::shared_ptr<OpenedFile> open_captured_graph(Capture capture,
                                                std::optional<std::size_t> number = std::nullopt);

}  // namespace splitscope
