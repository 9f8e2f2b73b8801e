// SPDX-License-Identifier: MIT
#include "tests/reliability/allocation_meter.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

#include <malloc.h>

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

constinit std::atomic<std::size_t> g_live = 0;
constinit std::atomic<std::size_t> g_peak = 0;
constinit thread_local std::size_t t_left = kNever;
constinit thread_local bool t_for_good = false;
constinit thread_local bool t_failed = false;

bool may_allocate() {
    if (t_left == kNever) return true;
    if (t_left > 0) {
        --t_left;
        return true;
    }
    t_failed = true;
    if (!t_for_good) t_left = kNever;
    return false;
}

void* count(void* memory) {
    if (memory == nullptr) return nullptr;
    const std::size_t now = g_live += ::malloc_usable_size(memory);
    std::size_t peak = g_peak;
    while (now > peak && !g_peak.compare_exchange_weak(peak, now)) {
    }
    return memory;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (!may_allocate()) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return count(std::malloc(size == 0 ? 1 : size));
    return count(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    if (void* memory = allocate(size, alignment)) return memory;
    throw std::bad_alloc();
}

void release(void* memory) noexcept {
    if (memory == nullptr) return;
    g_live -= ::malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new[](std::size_t size) {
    return allocate_or_throw(size, 1);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete[](void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}

namespace splitscope::testing {

AllocationMeter::AllocationMeter() : start_(g_live) {
    g_peak = start_;
}

std::size_t AllocationMeter::peak() const {
    return g_peak - start_;
}

FailingAllocations::FailingAllocations(std::size_t number, Lasting lasting) {
    t_failed = false;
    t_for_good = lasting == Lasting::for_good;
    t_left = number;
}

FailingAllocations::~FailingAllocations() {
    t_left = kNever;
}

bool FailingAllocations::happened() {
    return t_failed;
}

}  // namespace splitscope::testing
