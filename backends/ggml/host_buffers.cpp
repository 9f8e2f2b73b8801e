// SPDX-License-Identifier: MIT
#include "backends/ggml/host_buffers.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>

#include "backends/ggml/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::ggml {
namespace {

/// Pages of buffers up to this size are mapped when allocated; larger ones, such as the KV cache of a long
/// context, may remain partly unused.
constexpr std::uint64_t kMaxPopulated = 256U << 20;

}  // namespace

using channel::BodyReader;
using channel::BodyWriter;

void HostBuffers::keep(HostBuffer buffer, BodyWriter& out) {
    if (buffer.buffer == nullptr) throw HostError(msg::kEngineOutOfMemory);
    if (buffer.size > 0) buffer.base = static_cast<char*>(library_.buffer_base(buffer.buffer));
    const std::uint64_t id = engine_.new_handle();
    buffers_.emplace(id, std::move(buffer));
    out.put(id);
}

void HostBuffers::allocate(ReceivedMessage& question, BodyReader& in, BodyWriter& out) {
    const std::size_t device = engine_.device_index(in);
    const std::size_t type = engine_.type_index(in);
    const auto size = in.get<std::uint64_t>();
    require_whole(in);
    HostBuffer buffer;
    buffer.size = size;
    if (question.descriptor.is_open()) {
        if (!engine_.known.facts.devices[device].from_host_memory) throw HostError(msg::kNoHostMemory);
        buffer.mapping = SharedMemory::map(std::move(question.descriptor), 0, size, true);
        if (buffer.mapping.bytes().empty()) throw HostError(Message::verbatim(std::strerror(errno)));
        if (size <= kMaxPopulated) buffer.mapping.populate();
        buffer.buffer = library_.dev_buffer_from_host_ptr(engine_.known.devices[device],
                                                          buffer.mapping.bytes().data(), size, size);
    } else {
        buffer.buffer = library_.buft_alloc(engine_.known.buffer_types[type], size);
    }
    keep(std::move(buffer), out);
}

void HostBuffers::wrap(BodyReader& in, BodyWriter& out) {
    const std::size_t device = engine_.device_index(in);
    const std::string path(in.get_text());
    const auto offset = in.get<std::uint64_t>();
    const auto size = in.get<std::uint64_t>();
    const auto largest = in.get<std::uint64_t>();
    require_whole(in);
    if (!engine_.known.facts.devices[device].from_host_memory) throw HostError(msg::kNoHostMemory);
    HostBuffer buffer;
    buffer.size = size;
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    buffer.file = FileIdentity::of(file.get());
    buffer.file_offset = offset;
    buffer.mapping = SharedMemory::map(std::move(file), offset, size, false);
    if (buffer.mapping.bytes().empty()) throw HostError(Message::verbatim(std::strerror(errno)));
    buffer.buffer = library_.dev_buffer_from_host_ptr(engine_.known.devices[device],
                                                      buffer.mapping.bytes().data(), size, largest);
    std::vector<FileIdentity> in_use = {*buffer.file};
    for (const auto& [id, other] : buffers_)
        if (other.file) in_use.push_back(*other.file);
    repacked_.keep_only(in_use);
    keep(std::move(buffer), out);
}

void HostBuffers::free_buffer(BodyReader& in) {
    const auto id = in.get<std::uint64_t>();
    require_whole(in);
    const HostBuffer& buffer = object_of(buffers_, id);
    library_.buffer_free(buffer.buffer);
    buffers_.erase(id);
}

void HostBuffers::change_buffer(Kind kind, BodyReader& in) {
    const HostBuffer& buffer = object_of(buffers_, in.get<std::uint64_t>());
    const auto value = in.get<std::uint8_t>();
    require_whole(in);
    if (kind == Kind::usage) {
        library_.buffer_set_usage(buffer.buffer, value);
    } else if (buffer.size > 0) {
        library_.buffer_clear(buffer.buffer, value);
    }
}

void HostBuffers::fill(BodyReader& in) {
    const Range range = get_range(in);
    const std::uint64_t size = range.size;
    const auto value = in.get<std::uint8_t>();
    require_whole(in);
    if (size == 0) return;
    constexpr std::uint64_t kPiece = 1U << 20;
    const std::vector<std::uint8_t> piece(std::min(size, kPiece), value);
    const Tensors tensors(library_, 1, 0);
    const Library::Tensor t = bytes_of(tensors, range);
    for (std::uint64_t at = 0; at < size; at += piece.size())
        library_.tensor_set(t, piece.data(), at, std::min<std::uint64_t>(piece.size(), size - at));
}

void HostBuffers::write(BodyReader& in) {
    const Range range = get_range(in);
    const std::uint64_t size = range.size;
    const std::string_view inline_data = in.get_text();
    require_whole(in);
    if (size == 0) return;
    if (!inline_data.empty() && inline_data.size() != size) throw HostError(msg::kBadEngineRequest("data"));
    const void* const data =
        inline_data.empty() ? static_cast<const void*>(engine_.area(size).data()) : inline_data.data();
    const Tensors tensors(library_, 1, 0);
    library_.tensor_set(bytes_of(tensors, range), data, 0, size);
}

void HostBuffers::read(BodyReader& in, BodyWriter& out) {
    const Range range = get_range(in);
    const std::uint64_t size = range.size;
    require_whole(in);
    if (size == 0) return out.put_text({});
    const Tensors tensors(library_, 1, 0);
    const Library::Tensor t = bytes_of(tensors, range);
    if (size > kInline) {
        library_.tensor_get(t, engine_.area(size).data(), 0, size);
        return out.put_text({});
    }
    std::array<char, kInline> bytes;
    library_.tensor_get(t, bytes.data(), 0, size);
    out.put_text({bytes.data(), size});
}

void HostBuffers::copy(BodyReader& in) {
    const auto [from, to] = get_ranges(in);
    require_whole(in);
    if (to.size == 0) return;
    const Tensors tensors(library_, 2, 0);
    library_.tensor_copy(bytes_of(tensors, from), bytes_of(tensors, to));
}

HostBuffers::Range HostBuffers::get_range(BodyReader& in) const {
    const HostBuffer& buffer = at(in.get<std::uint64_t>());
    const auto offset = in.get<std::uint64_t>();
    const auto size = in.get<std::uint64_t>();
    const auto end = checked_add(offset, size);
    if (in.failed() || !end || *end > buffer.size) throw HostError(msg::kBadEngineRequest("range"));
    return {buffer, offset, size};
}

std::pair<HostBuffers::Range, HostBuffers::Range> HostBuffers::get_ranges(BodyReader& in) const {
    const Range from = get_range(in);
    const Range to = get_range(in);
    if (to.size != from.size) throw HostError(msg::kBadEngineRequest("size"));
    return {from, to};
}

}  // namespace splitscope::ggml
