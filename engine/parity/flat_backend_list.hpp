// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/buffer_type.hpp"
#include "backends/interface/device.hpp"

namespace splitscope {

/// The flat list of the generations of 2024 (backend-api.md §7.1): names with factories.
class FlatBackendList {
 public:
    using Make = std::function<std::unique_ptr<Backend>(std::string_view parameters)>;
    static constexpr std::size_t kMaxNameBytes = 127;

    /// At most `limit` entries: 64, or 16 in 2024-01.
    explicit FlatBackendList(std::size_t limit = 64) : limit_(limit) {}

    /// Appends an entry; lookups find the first of equal names. Names above 127 bytes are truncated. Errors:
    /// limit.
    void add(std::string name, Make make, BufferType& default_type);
    /// A device under its own name; parameters are ignored.
    void add(std::shared_ptr<Device> device);
    std::size_t count() const { return entries_.size(); }
    /// Exact and case-sensitive.
    std::optional<std::size_t> find(std::string_view name) const;
    /// The following throw Error(unknown) with the available names.
    const std::string& name(std::size_t index) const { return at(index).name; }
    BufferType& default_buffer_type(std::size_t index) const { return *at(index).type; }
    std::unique_ptr<Backend> new_backend(std::size_t index, std::string_view parameters) const;
    std::unique_ptr<Buffer> allocate(std::size_t index, std::uint64_t size) const;
    /// "name" or "name:parameters", separated by the first colon.
    std::unique_ptr<Backend> new_backend(std::string_view text) const;

 private:
    struct Entry {
        std::string name;
        Make make;
        BufferType* type;
    };
    const Entry& at(std::size_t index) const;

    std::size_t limit_;
    std::vector<Entry> entries_;
};

}  // namespace splitscope
