// SPDX-License-Identifier: MIT
#include "backends/interface/registry.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

[[noreturn]] void unknown(std::string_view what, std::size_t index, std::size_t count) {
    throw Error(ErrorKind::unknown, fmt::format("there is no {} {}", what, index), "backend registry",
                fmt::format("there are {}", count));
}

}  // namespace

void BackendRegistry::add(std::shared_ptr<BackendKind> kind) {
    if (std::ranges::find(kinds_, kind) != kinds_.end()) return;
    for (std::size_t i = 0; i < kind->device_count(); ++i) devices_.push_back({&kind->device(i), kind.get()});
    kinds_.push_back(std::move(kind));
}

void BackendRegistry::add(std::shared_ptr<Device> device) {
    if (std::ranges::find(devices_, device.get(), &Entry::device) != devices_.end()) return;
    devices_.push_back({device.get(), nullptr});
    lone_devices_.push_back(std::move(device));
}

BackendKind& BackendRegistry::kind(std::size_t index) const {
    if (index >= kinds_.size()) unknown("kind of backend", index, kinds_.size());
    return *kinds_[index];
}

Device& BackendRegistry::device(std::size_t index) const {
    if (index >= devices_.size()) unknown("device", index, devices_.size());
    return *devices_[index].device;
}

BackendKind* BackendRegistry::find_kind(std::string_view name) const {
    const auto found =
        std::ranges::find_if(kinds_, [&](const auto& kind) { return same_name(kind->name(), name); });
    return found != kinds_.end() ? found->get() : nullptr;
}

Device* BackendRegistry::find_device(std::string_view name) const {
    const auto found = std::ranges::find_if(
        devices_, [&](const Entry& entry) { return same_name(entry.device->name(), name); });
    return found != devices_.end() ? found->device : nullptr;
}

Device* BackendRegistry::find_device(DeviceKind type) const {
    const auto found =
        std::ranges::find_if(devices_, [&](const Entry& entry) { return entry.device->kind() == type; });
    return found != devices_.end() ? found->device : nullptr;
}

BackendKind* BackendRegistry::kind_of(const Device& device) const {
    const auto found =
        std::ranges::find_if(devices_, [&](const Entry& entry) { return entry.device == &device; });
    return found != devices_.end() ? found->kind : nullptr;
}

std::unique_ptr<Backend> BackendRegistry::new_backend(std::string_view device_name) const {
    Device* device = find_device(device_name);
    return device != nullptr ? device->new_backend() : nullptr;
}

std::unique_ptr<Backend> BackendRegistry::new_backend(DeviceKind type) const {
    Device* device = find_device(type);
    return device != nullptr ? device->new_backend() : nullptr;
}

std::unique_ptr<Backend> BackendRegistry::new_best_backend() const {
    if (auto backend = new_backend(DeviceKind::gpu)) return backend;
    return new_backend(DeviceKind::cpu);
}

void FlatBackendList::add(std::string name, Make make, BufferType& default_type) {
    if (entries_.size() >= limit_) {
        throw Error(ErrorKind::limit, fmt::format("more than {} backends are registered", limit_), name,
                    "register fewer");
    }
    if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
    entries_.push_back({std::move(name), std::move(make), &default_type});
}

std::optional<std::size_t> FlatBackendList::find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found == entries_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
}

const FlatBackendList::Entry& FlatBackendList::at(std::size_t index) const {
    if (index >= entries_.size()) unknown("backend", index, entries_.size());
    return entries_[index];
}

std::unique_ptr<Backend> FlatBackendList::new_backend(std::size_t index, std::string_view parameters) const {
    return at(index).make(parameters);
}

std::unique_ptr<Buffer> FlatBackendList::allocate(std::size_t index, std::uint64_t size) const {
    return at(index).type->allocate(size);
}

std::unique_ptr<Backend> FlatBackendList::new_backend(std::string_view text) const {
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, std::min(colon, kMaxNameBytes));
    const std::string_view parameters = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    const auto index = find(name);
    if (!index) {
        std::string known;
        for (const Entry& entry : entries_) known += (known.empty() ? "" : ", ") + entry.name;
        throw Error(ErrorKind::unknown, fmt::format("there is no backend '{}'", name), "backend registry",
                    known.empty() ? "none is registered" : "use one of " + known);
    }
    return new_backend(*index, parameters);
}

}  // namespace splitscope
