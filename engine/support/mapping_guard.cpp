// SPDX-License-Identifier: MIT
#include "engine/support/mapping_guard.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <csignal>
#include <cstdint>
#include <memory>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {
namespace {

struct Slot {
    std::atomic<std::uintptr_t> begin = 0;  ///< 0 = free
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> damaged = false;
    std::atomic<int> fd = -1;  ///< the file, to ask for its size; -1 = not asked
};

/// Part of the table. The signal handler reads it without a lock, so parts are added but never removed.
struct Slots {
    std::array<Slot, 256> slots{};
    std::atomic<Slots*> next = nullptr;
};

/// Signal handlers are per process, and so is the table.
constinit Slots g_first_slots{};
constinit struct sigaction g_previous {};
constinit std::uintptr_t g_page = 4096;

Slot* slot_of(std::uintptr_t address) {
    for (Slots* part = &g_first_slots; part != nullptr; part = part->next.load(std::memory_order_acquire)) {
        for (Slot& slot : part->slots) {
            const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire);
            if (begin != 0 && address >= begin && address < slot.end.load(std::memory_order_acquire))
                return &slot;
        }
    }
    return nullptr;
}

/// The next part of the table, added if there is none.
Slots* next_of(Slots& part) {
    if (Slots* next = part.next.load(std::memory_order_acquire)) return next;
    auto added = std::make_unique<Slots>();
    Slots* next = nullptr;
    if (part.next.compare_exchange_strong(next, added.get(), std::memory_order_acq_rel))
        return added.release();
    return next;
}

std::uintptr_t number_of(const std::byte* address) {
    return std::bit_cast<std::uintptr_t>(address);
}

/// Replaces the mapping from the faulting page on with zeros. Async-signal-safe.
void on_bus_error(int signal, siginfo_t* info, void* context) {
    const auto address = std::bit_cast<std::uintptr_t>(info->si_addr);
    const bool from_kernel = info->si_code > 0;
    if (Slot* slot = from_kernel ? slot_of(address) : nullptr) {
        const std::uintptr_t page = address / g_page * g_page;
        const std::uintptr_t end = slot->end.load(std::memory_order_acquire);
        void* const zeros = ::mmap(std::bit_cast<void*>(page), end - page, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros != MAP_FAILED) {
            slot->damaged.store(true, std::memory_order_release);
            return;
        }
    }
    // Not a guarded mapping: restore the previous handler, or the default, which terminates the process.
    if ((g_previous.sa_flags & SA_SIGINFO) != 0 && g_previous.sa_sigaction != nullptr) {
        g_previous.sa_sigaction(signal, info, context);
        return;
    }
    ::sigaction(SIGBUS, &g_previous, nullptr);
    ::raise(SIGBUS);
}

void install_handler() {
    g_page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &g_previous);
}

}  // namespace

void guard_mapping(std::span<const std::byte> mapping, int fd) {
    static std::once_flag installed;
    std::call_once(installed, install_handler);
    if (mapping.empty()) return;
    const std::uintptr_t begin = number_of(mapping.data());
    for (Slots* part = &g_first_slots;; part = next_of(*part)) {
        for (Slot& slot : part->slots) {
            // A claimed slot is inactive until its end is set.
            std::uintptr_t free = slot.begin.load(std::memory_order_relaxed);
            if (free != 0 || !slot.begin.compare_exchange_strong(free, begin, std::memory_order_acq_rel))
                continue;
            slot.damaged.store(false, std::memory_order_release);
            // Processes may have few descriptors, often 1024.
            if (part == &g_first_slots)
                slot.fd.store(::fcntl(fd, F_DUPFD_CLOEXEC, 0), std::memory_order_release);
            slot.end.store(begin + mapping.size(), std::memory_order_release);
            return;
        }
    }
}

void release_mapping(std::span<const std::byte> mapping) noexcept {
    if (mapping.empty()) return;
    Slot* slot = slot_of(number_of(mapping.data()));
    if (slot == nullptr) return;
    slot->end.store(0, std::memory_order_release);
    if (const int fd = slot->fd.exchange(-1); fd >= 0) ::close(fd);
    slot->begin.store(0, std::memory_order_release);
}

bool is_damaged(const std::byte* address) noexcept {
    const Slot* slot = slot_of(number_of(address));
    if (slot == nullptr) return false;
    if (slot->damaged.load(std::memory_order_acquire)) return true;
    // Some file systems return zeros beyond a truncated end instead of failing.
    struct stat info {};
    const std::uintptr_t size =
        slot->end.load(std::memory_order_acquire) - slot->begin.load(std::memory_order_acquire);
    return ::fstat(slot->fd.load(std::memory_order_acquire), &info) == 0 &&
           static_cast<std::uintptr_t>(info.st_size) < size;
}

void require_intact(std::span<const std::byte> mapping, const std::filesystem::path& path) {
    if (mapping.empty() || !is_damaged(mapping.data())) return;
    throw Error(ErrorKind::io, msg::kFileShrank, path, msg::kOpenAgainWhenComplete);
}

}  // namespace splitscope
