// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "backends/interface/registry.hpp"

namespace splitscope {

/// A backend of the first matching device; null if there is none.
std::unique_ptr<Backend> new_backend(const BackendRegistry& registry, std::string_view device_name);
std::unique_ptr<Backend> new_backend(const BackendRegistry& registry, DeviceKind type);
/// A backend of the first GPU, else of the CPU; null if there is neither.
std::unique_ptr<Backend> new_best_backend(const BackendRegistry& registry);

}  // namespace splitscope
