// SPDX-License-Identifier: MIT
#include "engine/parity/flat_backend_list.hpp"

#include <algorithm>
#include <utility>

#include "backends/interface/messages.hpp"
#include "engine/parity/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

void FlatBackendList::add(std::string name, Make make, BufferType& default_type) {
    if (entries_.size() >= limit_) {
        throw Error(ErrorKind::limit, msg::kTooManyRegistered(limit_), name, msg::kRegisterFewer);
    }
    if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
    entries_.push_back({std::move(name), std::move(make), &default_type});
}

void FlatBackendList::add(std::shared_ptr<Device> device) {
    std::string name(device->name());
    BufferType& type = device->buffer_type();
    add(
        std::move(name), [device = std::move(device)](std::string_view) { return device->new_backend(); },
        type);
}

std::optional<std::size_t> FlatBackendList::find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found == entries_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
}

const FlatBackendList::Entry& FlatBackendList::at(std::size_t index) const {
    if (index >= entries_.size()) {
        throw Error(ErrorKind::unknown, msg::kNoBackendIndex(index), msg::kPlaceRegistry,
                    msg::kThereAre(entries_.size()));
    }
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
        throw Error(ErrorKind::unknown, msg::kNoBackendCalled(name), msg::kPlaceRegistry,
                    known.empty() ? Message(msg::kNoneRegistered) : msg::kUseOneOf(known));
    }
    return new_backend(*index, parameters);
}

}  // namespace splitscope
