// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/planning/spellings.hpp"

namespace splitscope {

/// What follows a switch of llama.cpp's programs that affects neither memory nor placement; empty for other
/// words.
std::optional<SwitchValue> neutral_switch(std::string_view name);
std::vector<std::string> neutral_switches();

/// What follows a switch that names a file beside the model, a prompt, or how Splitscope itself works; empty
/// for other words. It does not change the placement of an opened model.
std::optional<SwitchValue> switch_beside_placement(std::string_view name);

/// Throws Error(usage) with the reason if the switch changes graphs or the model in a way that is not
/// planned.
void refuse_unplanned(std::string_view name, std::string_view value);
/// Throws Error(usage) if it names something to download.
void refuse_download(std::string_view name);

}  // namespace splitscope
