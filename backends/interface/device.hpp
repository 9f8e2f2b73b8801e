// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backends/interface/buffer_type.hpp"
#include "backends/interface/event.hpp"
#include "backends/interface/op_support.hpp"
#include "engine/tensor/op_set.hpp"

namespace splitscope {

class Backend;

enum class DeviceKind { cpu, gpu, accel };

/// "cpu", "gpu", "accel".
std::string_view name_of(DeviceKind kind);

struct DeviceMemory {
    std::uint64_t free = 0;  ///< 0 and 0 = unknown
    std::uint64_t total = 0;
};

struct DeviceCapabilities {
    bool async = false;
    bool host_buffer = false;
    bool buffer_from_host_ptr = false;
    bool events = false;
};

/// A compute device, which creates backends (streams) (backend-api.md §7.2).
class Device {
 public:
    Device() = default;
    virtual ~Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Short name, e.g. "CPU", "GPU0".
    virtual const std::string& name() const = 0;
    virtual std::string description() const { return name(); }
    virtual DeviceKind kind() const = 0;
    virtual DeviceMemory memory() const { return {}; }
    virtual DeviceCapabilities capabilities() const { return {}; }

    virtual BufferType& buffer_type() = 0;
    /// Pinned host memory of this device, or null.
    virtual BufferType* host_buffer_type() { return nullptr; }
    /// A buffer over existing host memory, such as a mapped model, whose largest tensor has
    /// `max_tensor_bytes`. Throws Error(unsupported) by default; called only with that capability.
    virtual std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                            std::uint64_t max_tensor_bytes);
    virtual OpSupport supports_op(const OpQuery& query) const = 0;
    /// Operations that supports_op() accepts whatever their types, shapes and sources: the scheduler does not
    /// ask about them. The set may lack some.
    virtual OpSet always_supported() const { return {}; }
    virtual bool supports_buffer_type(const BufferType& type) const = 0;
    /// Whether the device would run this operation although its weights are elsewhere.
    virtual bool offload_op(const OpQuery&) const { return false; }

    /// Null if the device has no events.
    virtual std::unique_ptr<Event> new_event() { return nullptr; }
    virtual std::unique_ptr<Backend> new_backend() = 0;

 protected:
    /// Refuses the first source in memory that the device cannot read.
    OpSupport reads_sources(const OpQuery& query) const;
};

}  // namespace splitscope
