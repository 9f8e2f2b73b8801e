// SPDX-License-Identifier: MIT
#include "engine/memory/multi_buffer.hpp"

#include <utility>

#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* operation) {
    throw Error(ErrorKind::unsupported, msg::kMultiBufferOperation(operation), name, msg::kUseTensorBuffer);
}

}  // namespace

std::unique_ptr<MultiBuffer> MultiBuffer::make(std::vector<std::unique_ptr<Buffer>> parts) {
    std::uint64_t size = 0;
    for (const auto& part : parts) {
        if (part == nullptr)
            throw Error(ErrorKind::null_argument, msg::kPartMissing, msg::kPlaceMultiBuffer,
                        msg::kPassBuffers);
        size += part->size();
    }
    if (parts.empty()) {
        throw Error(ErrorKind::null_argument, msg::kNoParts, msg::kPlaceMultiBuffer, msg::kPassBuffers);
    }
    return std::unique_ptr<MultiBuffer>(new MultiBuffer(std::move(parts), size));
}

MultiBuffer::MultiBuffer(std::vector<std::unique_ptr<Buffer>> parts, std::uint64_t size)
    : Buffer(parts.front()->type(), size), parts_(std::move(parts)) {}

void MultiBuffer::set_usage(BufferUsage usage) {
    Buffer::set_usage(usage);
    for (const auto& part : parts_) part->set_usage(usage);
}

void MultiBuffer::clear(std::byte value) {
    for (const auto& part : parts_) part->clear(value);
}

void MultiBuffer::write(std::uint64_t, std::span<const std::byte>) {
    refuse(name(), "writing");
}
void MultiBuffer::read(std::uint64_t, std::span<std::byte>) {
    refuse(name(), "reading");
}

}  // namespace splitscope
