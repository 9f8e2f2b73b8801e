// SPDX-License-Identifier: MIT
#include "backends/cpu/cpu_buffer.hpp"

#include <bit>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "backends/cpu/messages.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/large_pages.hpp"

namespace splitscope {
namespace {

constexpr std::align_val_t kMemoryAlignment{64};

struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete(memory, kMemoryAlignment); }
};

class CpuBuffer final : public Buffer {
 public:
    CpuBuffer(CpuBufferType& type, std::unique_ptr<std::byte, FreeAligned> owned, std::uint64_t size)
        : Buffer(type, size), owned_(std::move(owned)), base_(owned_.get()) {}
    CpuBuffer(CpuBufferType& type, std::byte* base, std::uint64_t size, bool writable)
        : Buffer(type, size), base_(base), writable_(writable) {}

    std::byte* host_base() override { return base_; }

    void write(std::uint64_t offset, std::span<const std::byte> data) override {
        require_writable();
        if (!data.empty()) std::memmove(base_ + offset, data.data(), data.size());
    }
    void read(std::uint64_t offset, std::span<std::byte> data) override {
        if (!data.empty()) std::memcpy(data.data(), base_ + offset, data.size());
    }
    void fill(std::uint64_t offset, std::uint64_t size, std::byte value) override {
        require_writable();
        if (size > 0) std::memset(base_ + offset, std::to_integer<int>(value), size);
    }
    void clear(std::byte value) override { fill(0, size(), value); }

    bool copy_from(Buffer& source, std::uint64_t source_offset, std::uint64_t offset,
                   std::uint64_t size) override {
        if (!source.is_host() && &source.type() != &type()) return false;
        if (source.host_base() == nullptr) return false;
        write(offset, {source.host_base() + source_offset, size});
        return true;
    }

 private:
    void require_writable() const {
        if (!writable_) {
            throw Error(ErrorKind::state, msg::kMemoryOfMappedFile, name(), msg::kCopyBeforeChanging);
        }
    }

    std::unique_ptr<std::byte, FreeAligned> owned_;
    std::byte* base_ = nullptr;
    bool writable_ = true;
};

/// Memory available without swapping or killing other processes; empty if the system does not report it.
std::optional<std::uint64_t> available_memory() {
    std::ifstream facts("/proc/meminfo");
    std::optional<std::uint64_t> available;
    std::string name;
    std::uint64_t kib = 0;
    std::string unit;
    while (facts >> name >> kib && std::getline(facts, unit)) {
        if (name == "MemAvailable:" || name == "SwapFree:") available = available.value_or(0) + kib * 1024;
    }
    return available;
}

/// Linux overcommits memory and kills processes that use it.
void require_available(std::uint64_t size, const std::string& name) {
    constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
    if (size < kSmall) return;
    const auto available = available_memory();
    if (!available || size <= *available) return;
    throw Error(ErrorKind::memory, msg::kCannotAllocateOf(size, *available), name, msg::kUseSmallerModel);
}

/// Weights and caches are read from end to end, where small pages cost up to a fifth of the rate, also in
/// small models.
constexpr std::uint64_t kWorthLargePages = std::uint64_t{4} << 20;

}  // namespace

std::unique_ptr<Buffer> CpuBufferType::allocate(std::uint64_t size) {
    require_available(size, name());
    std::unique_ptr<std::byte, FreeAligned> memory;
    if (size > 0) {
        memory.reset(static_cast<std::byte*>(::operator new(size, kMemoryAlignment, std::nothrow)));
        if (memory == nullptr) {
            throw Error(ErrorKind::memory, msg::kCannotAllocate(size), name(), msg::kUseSmallerModel);
        }
        if (size >= kWorthLargePages) ask_for_large_pages(memory.get(), size);
    }
    return std::make_unique<CpuBuffer>(*this, std::move(memory), size);
}

namespace {

void require_alignment(const CpuBufferType& type, const std::byte* memory) {
    const auto misalignment = reinterpret_cast<std::uintptr_t>(memory) % type.alignment();
    if (misalignment != 0) {
        throw Error(ErrorKind::align, msg::kMemoryMisaligned(misalignment, type.alignment()), type.name(),
                    msg::kCopyIntoBuffer);
    }
}

}  // namespace

std::unique_ptr<Buffer> CpuBufferType::wrap(std::span<const std::byte> memory) {
    require_alignment(*this, memory.data());
    // Never written: CpuBuffer refuses writes, and kernels write only results.
    auto* const bytes =
        const_cast<std::byte*>(memory.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return std::make_unique<CpuBuffer>(*this, bytes, memory.size(), false);
}

std::unique_ptr<Buffer> CpuBufferType::wrap(std::span<std::byte> memory) {
    require_alignment(*this, memory.data());
    return std::make_unique<CpuBuffer>(*this, memory.data(), memory.size(), true);
}

}  // namespace splitscope
