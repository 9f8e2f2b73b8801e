// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/ggml/engine.hpp"
#include "backends/ggml/ggml_buffer.hpp"
#include "backends/interface/device.hpp"

namespace splitscope::ggml {

/// A device of the engine.
class GgmlDevice final : public Device {
 public:
    GgmlDevice(std::shared_ptr<Engine> engine, std::uint32_t index, std::string name, GgmlBufferType& type,
               GgmlBufferType* host_type);

    const std::string& name() const override { return name_; }
    std::string description() const override { return facts().description; }
    DeviceKind kind() const override;
    DeviceMemory memory() const override;
    DeviceCapabilities capabilities() const override;

    BufferType& buffer_type() override { return type_; }
    BufferType* host_buffer_type() override { return host_type_; }
    /// Maps files in the engine as well. Errors: unsupported.
    std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                    std::uint64_t max_tensor_bytes) override;
    /// The engine's answer, which has no reason.
    OpSupport supports_op(const OpQuery& query) const override;
    bool supports_buffer_type(const BufferType& type) const override;
    bool offload_op(const OpQuery& query) const override;
    std::unique_ptr<Event> new_event() override;
    std::unique_ptr<Backend> new_backend() override;

    const std::shared_ptr<Engine>& engine() const { return engine_; }
    std::uint32_t index() const { return index_; }
    const DeviceFacts& facts() const { return engine_->facts().devices[index_]; }

 private:
    std::shared_ptr<Engine> engine_;
    std::uint32_t index_;
    std::string name_;
    GgmlBufferType& type_;
    GgmlBufferType* host_type_;
};

/// A device's answers about nodes: cached ones, and the others in one query.
struct NodeAnswer {
    OpSupport support;
    bool takes_over = false;
};
std::vector<NodeAnswer> answers_of(Engine& engine, std::uint32_t device, const std::vector<OpQuery>& queries);

DeviceKind kind_of(const DeviceFacts& device);

/// The devices and buffer types of an engine, renamed to be distinct from built-in ones.
class EngineDevices {
 public:
    explicit EngineDevices(std::shared_ptr<Engine> engine);

    Engine& engine() const { return *engine_; }
    /// By the engine's name, case-insensitive; null if there is none.
    GgmlDevice* find(std::string_view name) const;
    const std::vector<std::unique_ptr<GgmlDevice>>& all() const { return devices_; }

    static constexpr std::string_view kPrefix = "engine:";

 private:
    std::shared_ptr<Engine> engine_;
    std::vector<std::unique_ptr<GgmlBufferType>> types_;  ///< as in the engine's facts
    std::vector<std::unique_ptr<GgmlDevice>> devices_;    ///< likewise
};

}  // namespace splitscope::ggml
