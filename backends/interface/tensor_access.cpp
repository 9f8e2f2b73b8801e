// SPDX-License-Identifier: MIT
#include "backends/interface/tensor_access.hpp"

#include <vector>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

Buffer& require_buffer(const BoundTensor& t) {
    Buffer* buffer = t.buffer();
    if (buffer == nullptr) {
        throw Error(ErrorKind::no_buffer, msg::kNoBuffer, t.tensor().name, msg::kAllocateBeforeAccess);
    }
    return *buffer;
}

void require_data(const BoundTensor& t) {
    if (!t.has_data()) {
        throw Error(ErrorKind::unallocated, msg::kNoData, t.tensor().name, msg::kAllocateFirst);
    }
}

void require_same_layout(const BoundTensor& a, const BoundTensor& b) {
    if (same_layout(a.tensor(), b.tensor())) return;
    const auto layout = [](const Tensor& t) {
        return fmt::format("{} {} strides {}/{}/{}/{}", name_of(t.type), format_shape(t.ne), t.nb[0], t.nb[1],
                           t.nb[2], t.nb[3]);
    };
    throw Error(ErrorKind::layout,
                msg::kLayoutsDiffer(a.tensor().name, layout(a.tensor()), b.tensor().name, layout(b.tensor())),
                msg::kTensorCopy, msg::kCopySameLayout);
}

/// Copies require more than accesses: views must be initialised.
void require_own_buffer(const BoundTensor& t) {
    require_buffer(t);
    if (t.place().buffer != nullptr) return;
    throw Error(ErrorKind::no_buffer, msg::kViewNoBuffer, t.tensor().name, msg::kInitialiseView);
}

bool same_tensor(const BoundTensor& a, const BoundTensor& b) {
    return a.id == b.id && &a.place() == &b.place();
}

}  // namespace

void require_range(const BoundTensor& t, std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t bytes = byte_size(t.tensor());
    const auto end = checked_add(offset, size);
    if (!end || *end > bytes) {
        throw Error(ErrorKind::range, msg::kBeyondTensor(size, offset, bytes), t.tensor().name,
                    msg::kStayInside);
    }
}

namespace {

/// Common checks in order; false if there is nothing to do.
bool check_access(const BoundTensor& t, std::uint64_t offset, std::uint64_t size) {
    require_buffer(t);
    if (size == 0) return false;
    require_data(t);
    require_range(t, offset, size);
    return true;
}

}  // namespace

void tensor_set(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset) {
    if (check_access(t, offset, data.size())) t.buffer()->write(t.graph.offset_of(t.id) + offset, data);
}

void tensor_get(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset) {
    if (check_access(t, offset, data.size())) t.buffer()->read(t.graph.offset_of(t.id) + offset, data);
}

void tensor_memset(const BoundTensor& t, std::byte value, std::uint64_t offset, std::uint64_t size) {
    if (check_access(t, offset, size)) t.buffer()->fill(t.graph.offset_of(t.id) + offset, size, value);
}

void tensor_set_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                      std::uint64_t offset) {
    require_data(t);
    require_range(t, offset, data.size());
    if (backend.set_async(t.graph, t.id, data, offset)) return;
    backend.synchronize();
    tensor_set(t, data, offset);
}

void tensor_get_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                      std::uint64_t offset) {
    require_data(t);
    require_range(t, offset, data.size());
    if (backend.get_async(t.graph, t.id, data, offset)) return;
    backend.synchronize();
    tensor_get(t, data, offset);
}

void tensor_copy(const BoundTensor& source, const BoundTensor& destination) {
    if (same_tensor(source, destination)) return;
    require_same_layout(source, destination);
    require_own_buffer(source);
    require_own_buffer(destination);
    Buffer& from = *source.buffer();
    Buffer& to = *destination.buffer();
    const std::uint64_t bytes = byte_size(source.tensor());
    if (bytes == 0) return;
    require_data(source);
    require_data(destination);
    const std::uint64_t from_offset = source.graph.offset_of(source.id);
    const std::uint64_t to_offset = destination.graph.offset_of(destination.id);
    if (from.is_host() && from.host_base() != nullptr) {
        to.write(to_offset, {from.host_base() + from_offset, bytes});
    } else if (to.is_host() && to.host_base() != nullptr) {
        from.read(from_offset, {to.host_base() + to_offset, bytes});
    } else if (!to.copy_from(from, from_offset, to_offset, bytes)) {
        std::vector<std::byte> temporary(bytes);
        from.read(from_offset, temporary);
        to.write(to_offset, temporary);
    }
}

void tensor_copy_async(Backend& source_backend, Backend& destination_backend, const BoundTensor& source,
                       const BoundTensor& destination) {
    if (same_tensor(source, destination)) return;
    require_same_layout(source, destination);
    if (destination_backend.copy_async(source_backend, source.graph, source.id, destination.id)) return;
    source_backend.synchronize();
    destination_backend.synchronize();
    tensor_copy(source, destination);
}

Status view_init(const BoundTensor& view) {
    const Tensor& t = view.tensor();
    if (view.place().buffer != nullptr) {
        throw Error(ErrorKind::placement, msg::kViewHasBuffer, t.name, msg::kInitialiseOnce);
    }
    if (!t.is_view()) {
        throw Error(ErrorKind::placement, msg::kNotView, t.name, msg::kAllocateInBuffer);
    }
    const TensorPlace& base = view.graph.place(t.view_src);
    const std::string& base_name = view.graph[t.view_src].name;
    if (base.buffer == nullptr) {
        throw Error(ErrorKind::no_buffer, msg::kBaseNoBuffer(base_name), t.name, msg::kAllocateViewedFirst);
    }
    if (!base.has_data) {
        throw Error(ErrorKind::unallocated, msg::kBaseNoData(base_name), t.name, msg::kAllocateViewedFirst);
    }
    view.place() = {base.buffer, base.offset + static_cast<std::uint64_t>(t.view_offs), true};
    return base.buffer->init_tensor(view.graph, view.id);
}

Status tensor_alloc(const BoundTensor& t, Buffer& buffer, std::uint64_t offset) {
    const Tensor& tensor = t.tensor();
    const auto refuse = [&](Message problem, Message remedy) {
        throw Error(ErrorKind::placement, std::move(problem), tensor.name, std::move(remedy));
    };
    if (t.place().buffer != nullptr || t.place().has_data) {
        refuse(msg::kAlreadyPlaced, msg::kPlaceOnce);
    }
    if (tensor.is_view()) refuse(msg::kIsView, msg::kPlaceViewed);
    const std::uint64_t bytes = buffer.type().alloc_size(t.graph.view(), t.id);
    if (bytes < byte_size(tensor)) {
        throw Error(ErrorKind::internal, msg::kTypeUnderestimates(bytes, byte_size(tensor)),
                    buffer.type().name(), msg::kReportToAuthor);
    }
    const auto end = checked_add(offset, bytes);
    if (!end || *end > buffer.size()) {
        refuse(msg::kOutsideBuffer(bytes, offset, buffer.name(), buffer.size()), msg::kAllocateLarger);
    }
    t.place() = {&buffer, offset, true};
    return buffer.init_tensor(t.graph, t.id);
}

}  // namespace splitscope
