// SPDX-License-Identifier: MIT
#include "backends/ggml/ggml_device.hpp"

#include <algorithm>
#include <utility>

#include "backends/ggml/file_of_memory.hpp"
#include "backends/ggml/ggml_backend.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/interface/backend_kind.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ggml {

GgmlDevice::GgmlDevice(std::shared_ptr<Engine> engine, std::uint32_t index, std::string name,
                       GgmlBufferType& type, GgmlBufferType* host_type)
    : engine_(std::move(engine)), index_(index), name_(std::move(name)), type_(type), host_type_(host_type) {}

DeviceKind kind_of(const DeviceFacts& device) {
    switch (device.type) {
        case DeviceType::cpu:
            return DeviceKind::cpu;
        case DeviceType::accel:
            return DeviceKind::accel;
        default:
            return DeviceKind::gpu;
    }
}

DeviceKind GgmlDevice::kind() const {
    return kind_of(facts());
}

DeviceMemory GgmlDevice::memory() const {
    const auto [free, total] = engine_->memory(index_);
    return {free, total};
}

DeviceCapabilities GgmlDevice::capabilities() const {
    DeviceCapabilities capabilities;
    capabilities.async = facts().async;
    capabilities.host_buffer = host_type_ != nullptr;
    capabilities.events = facts().events;
    capabilities.buffer_from_host_ptr = facts().from_host_memory;
    return capabilities;
}

std::unique_ptr<Buffer> GgmlDevice::buffer_from_host_memory(std::span<const std::byte> memory,
                                                            std::uint64_t max_tensor_bytes) {
    const auto place = file_of_memory(memory);
    if (!facts().from_host_memory || !place) {
        throw Error(ErrorKind::unsupported, msg::kOnlyMappedFiles, name_, msg::kCopyIt);
    }
    const std::uint64_t id =
        engine_->wrap(index_, place->file, place->offset, memory.size(), max_tensor_bytes);
    return std::make_unique<GgmlBuffer>(type_, engine_, id, memory.size(), SharedMemory(), true);
}

OpSupport GgmlDevice::supports_op(const OpQuery& query) const {
    return answers_of(*engine_, index_, {query}).front().support;
}

bool GgmlDevice::offload_op(const OpQuery& query) const {
    return answers_of(*engine_, index_, {query}).front().takes_over;
}

bool GgmlDevice::supports_buffer_type(const BufferType& type) const {
    const auto* const own = dynamic_cast<const GgmlBufferType*>(&type);
    return own != nullptr && &own->engine() == engine_.get() && facts().reads[own->index()];
}

std::unique_ptr<Event> GgmlDevice::new_event() {
    if (!facts().events) return nullptr;
    return std::make_unique<GgmlEvent>(engine_, engine_->new_event(index_));
}

std::unique_ptr<Backend> GgmlDevice::new_backend() {
    return std::make_unique<GgmlBackend>(*this, 0);
}

std::vector<NodeAnswer> answers_of(Engine& engine, std::uint32_t device,
                                   const std::vector<OpQuery>& queries) {
    const auto as_answer = [](const OpQuery& query, const Answer& answer) {
        const OpSupport refused{RefusalRule::recorded, query.node, query.tensor().type};
        return NodeAnswer{answer.computes ? OpSupport() : refused, answer.takes_over};
    };
    std::vector<NodeAnswer> answers(queries.size());
    std::vector<std::pair<std::size_t, std::string>> open;  // query, key
    WireGraph together;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        Question question = question_about(queries[i], engine, device);
        if (!question.known) {
            answers[i].support = question.known;
        } else if (const auto known = engine.answers().find(question.key)) {
            answers[i] = as_answer(queries[i], *known);
        } else {
            append(together, question.graph);
            open.emplace_back(i, std::move(question.key));
        }
    }
    if (open.empty()) return answers;
    const std::vector<Answer> said = engine.ask(device, together);
    for (std::size_t i = 0; i < open.size(); ++i) {
        answers[open[i].first] = as_answer(queries[open[i].first], said[i]);
        engine.answers().add(std::move(open[i].second), said[i]);
    }
    return answers;
}

EngineDevices::EngineDevices(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {
    const EngineFacts& facts = engine_->facts();
    const auto device_with = [&](std::uint32_t type) -> std::uint32_t {
        for (std::size_t d = 0; d < facts.devices.size(); ++d)
            if (facts.devices[d].buffer_type == type) return static_cast<std::uint32_t>(d);
        for (std::size_t d = 0; d < facts.devices.size(); ++d)
            if (facts.devices[d].host_buffer_type == static_cast<std::int32_t>(type))
                return static_cast<std::uint32_t>(d);
        return 0;
    };
    for (std::uint32_t t = 0; t < facts.buffer_types.size(); ++t) {
        types_.push_back(std::make_unique<GgmlBufferType>(engine_, t, device_with(t),
                                                          std::string(kPrefix) + facts.buffer_types[t].name));
    }
    for (std::uint32_t d = 0; d < facts.devices.size(); ++d) {
        const DeviceFacts& device = facts.devices[d];
        GgmlBufferType* const host = device.host_buffer_type < 0
                                         ? nullptr
                                         : types_[static_cast<std::size_t>(device.host_buffer_type)].get();
        devices_.push_back(std::make_unique<GgmlDevice>(engine_, d, std::string(kPrefix) + device.name,
                                                        *types_[device.buffer_type], host));
    }
}

GgmlDevice* EngineDevices::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        devices_, [&](const auto& device) { return same_name(device->facts().name, name); });
    return found == devices_.end() ? nullptr : found->get();
}

}  // namespace splitscope::ggml
