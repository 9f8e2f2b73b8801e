// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope {

/// A metadata key of a model file, as the place of an error.
inline ErrorPlace place_of_key(const std::filesystem::path& file, std::string_view key) {
    return ErrorPlace(fmt::format("'{}'", key)).within(file);
}

}  // namespace splitscope
