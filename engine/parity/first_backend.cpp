// SPDX-License-Identifier: MIT
#include "engine/parity/first_backend.hpp"

namespace splitscope {

std::unique_ptr<Backend> new_backend(const BackendRegistry& registry, std::string_view device_name) {
    Device* device = registry.find_device(device_name);
    return device != nullptr ? device->new_backend() : nullptr;
}

std::unique_ptr<Backend> new_backend(const BackendRegistry& registry, DeviceKind type) {
    Device* device = registry.find_device(type);
    return device != nullptr ? device->new_backend() : nullptr;
}

std::unique_ptr<Backend> new_best_backend(const BackendRegistry& registry) {
    if (auto backend = new_backend(registry, DeviceKind::gpu)) return backend;
    return new_backend(registry, DeviceKind::cpu);
}

}  // namespace splitscope
