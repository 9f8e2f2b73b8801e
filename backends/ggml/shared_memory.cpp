// SPDX-License-Identifier: MIT
#include "backends/ggml/shared_memory.hpp"

#include <cerrno>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/support/checked.hpp"

namespace splitscope::ggml {

SharedMemory SharedMemory::make(const char* name, std::uint64_t size) {
    Descriptor descriptor(::memfd_create(name, MFD_CLOEXEC));
    if (!descriptor.is_open() || ::ftruncate(descriptor.get(), static_cast<off_t>(size)) != 0) return {};
    return map(std::move(descriptor), 0, size, true);
}

SharedMemory SharedMemory::map(Descriptor descriptor, std::uint64_t offset, std::uint64_t size,
                               bool writable) {
    struct stat facts {};
    if (::fstat(descriptor.get(), &facts) != 0) return {};
    const auto end = checked_add(offset, size);
    if (size == 0 || !end || *end > static_cast<std::uint64_t>(facts.st_size)) {
        errno = EINVAL;
        return {};
    }
    void* const at =
        ::mmap(nullptr, size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
               writable ? MAP_SHARED : MAP_PRIVATE, descriptor.get(), static_cast<off_t>(offset));
    if (at == MAP_FAILED) return {};
    SharedMemory memory;
    memory.descriptor_ = std::move(descriptor);
    memory.bytes_ = {static_cast<std::byte*>(at), size};
    return memory;
}

void SharedMemory::populate() {
#ifdef MADV_POPULATE_WRITE
    ::madvise(bytes_.data(), bytes_.size(), MADV_POPULATE_WRITE);
#endif
}

SharedMemory::~SharedMemory() {
    if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

}  // namespace splitscope::ggml
