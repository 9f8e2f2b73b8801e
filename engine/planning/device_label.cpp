// SPDX-License-Identifier: MIT
#include "engine/planning/device_label.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/planning/this_computer.hpp"

namespace splitscope {
namespace {

std::string product_of(const Session& session, const std::string& backend) {
    const auto facts = session.devices.find(backend);
    return facts == session.devices.end() ? std::string() : product_name(facts->second.title);
}

}  // namespace

std::string label_of_device(const Session& session, BackendId backend) {
    const auto& backends = session.machine.backends;
    if (!backend.valid() || backend.index() >= backends.size()) return {};
    const std::string& name = backends[backend.index()].name;
    const std::string product = product_of(session, name);
    if (product.empty()) return name;
    const auto alike = std::ranges::count_if(
        backends, [&](const MachineBackend& other) { return product_of(session, other.name) == product; });
    return alike > 1 ? fmt::format("{} ({})", product, name) : product;
}

std::string label_of_device(const Session& session, const std::string& backend) {
    const auto& backends = session.machine.backends;
    const auto found = std::ranges::find(backends, backend, &MachineBackend::name);
    if (found == backends.end()) return backend;
    return label_of_device(session, BackendId(std::size_t(found - backends.begin())));
}

std::vector<std::string> labels_of_devices(const Analysis& analysis) {
    std::vector<std::string> labels;
    for (const MachineBackend& backend : analysis.machine->backends)
        labels.push_back(label_of_device(analysis.session, backend.name));
    return labels;
}

}  // namespace splitscope
