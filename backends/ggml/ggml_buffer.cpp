// SPDX-License-Identifier: MIT
#include "backends/ggml/ggml_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/ggml/messages.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::ggml {
namespace {

std::uint8_t number_of(BufferUsage usage) {
    switch (usage) {
        case BufferUsage::any:
            return 0;
        case BufferUsage::weights:
            return 1;
        case BufferUsage::compute:
            return 2;
    }
    return 0;
}

}  // namespace

GgmlBuffer::GgmlBuffer(BufferType& type, std::shared_ptr<Engine> engine, std::uint64_t id, std::uint64_t size,
                       SharedMemory memory, bool file)
    : Buffer(type, size), engine_(std::move(engine)), id_(id), memory_(std::move(memory)), file_(file) {}

GgmlBuffer::~GgmlBuffer() {
    engine_->drop(Kind::free_buffer, id_);
}

void GgmlBuffer::set_usage(BufferUsage usage) {
    Buffer::set_usage(usage);
    engine_->set_usage(id_, number_of(usage));
}

void GgmlBuffer::require_writable() const {
    if (file_) throw Error(ErrorKind::state, msg::kBufferIsFile, name(), msg::kCopyIt);
}

void GgmlBuffer::write(std::uint64_t offset, std::span<const std::byte> data) {
    require_writable();
    if (data.empty()) return;
    if (std::byte* const base = host_base()) {
        std::memcpy(base + offset, data.data(), data.size());
    } else {
        engine_->write(id_, offset, data);
    }
}

void GgmlBuffer::read(std::uint64_t offset, std::span<std::byte> data) {
    if (data.empty()) return;
    if (const std::byte* const base = host_base()) {
        std::memcpy(data.data(), base + offset, data.size());
    } else {
        engine_->read(id_, offset, data);
    }
}

void GgmlBuffer::fill(std::uint64_t offset, std::uint64_t size, std::byte value) {
    require_writable();
    if (size == 0) return;
    if (std::byte* const base = host_base()) {
        std::memset(base + offset, std::to_integer<int>(value), size);
    } else {
        engine_->fill(id_, offset, size, std::to_integer<std::uint8_t>(value));
    }
}

void GgmlBuffer::clear(std::byte value) {
    require_writable();
    // Shared memory is initially zero, and untouched pages take no memory.
    engine_->clear(id_, std::to_integer<std::uint8_t>(value));
}

bool GgmlBuffer::copy_from(Buffer& source, std::uint64_t source_offset, std::uint64_t offset,
                           std::uint64_t size) {
    auto* const other = dynamic_cast<GgmlBuffer*>(&source);
    if (other == nullptr || other->engine_ != engine_) return false;
    require_writable();
    if (size > 0) engine_->copy({other->id_, source_offset}, {id_, offset}, size);
    return true;
}

GgmlBufferType::GgmlBufferType(std::shared_ptr<Engine> engine, std::uint32_t index, std::uint32_t device,
                               std::string name)
    : engine_(std::move(engine)), index_(index), device_(device), name_(std::move(name)) {
    const DeviceFacts& owner = engine_->facts().devices[device_];
    shares_ = facts().is_host && owner.type == DeviceType::cpu && owner.from_host_memory;
}

std::uint64_t GgmlBufferType::alloc_size(const GraphView& graph, TensorId tensor) const {
    const std::uint64_t bytes = byte_size(graph[tensor]);
    // Host memory has standard layout.
    if (facts().is_host) return bytes;
    const auto question = size_question(graph, tensor, engine_->numbers());
    return question ? std::max(bytes, engine_->alloc_sizes(index_, *question).front()) : bytes;
}

std::unique_ptr<Buffer> GgmlBufferType::allocate(std::uint64_t size) {
    if (size > max_size()) {
        throw Error(ErrorKind::limit, msg::kBufferAboveMost(size, max_size()), name_, msg::kPutFewerLayers);
    }
    SharedMemory memory;
    if (shares_ && size > 0) {
        memory = SharedMemory::make("engine-buffer", size);
        if (memory.bytes().empty()) {
            throw Error(ErrorKind::memory, msg::kEngineNoMemory(name_, size), {}, msg::kPutFewerLayers);
        }
    }
    const std::uint64_t id =
        engine_->allocate(device_, index_, size, memory.bytes().empty() ? -1 : memory.descriptor());
    return std::make_unique<GgmlBuffer>(*this, engine_, id, size, std::move(memory));
}

}  // namespace splitscope::ggml
