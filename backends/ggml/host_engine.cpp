// SPDX-License-Identifier: MIT
#include "backends/ggml/host_engine.hpp"

#include <atomic>
#include <cstdio>

namespace splitscope::ggml {

HostEngine::HostEngine(const std::filesystem::path& path, std::span<std::byte> shared)
    : library(path), folder(path), shared_area(shared) {
    print_log();
    if (library.set_abort_callback == nullptr) return;
    library.set_abort_callback([](const char* message) {
        std::fprintf(stderr, "%s\n", message);
        std::fflush(stderr);
    });
}

void HostEngine::print_log() const {
    library.log_set([](int, const char* text, void*) { std::fputs(text, stderr); }, nullptr);
}

std::size_t HostEngine::device_index(channel::BodyReader& in) const {
    const auto index = in.get<std::uint32_t>();
    if (in.failed() || index >= known.devices.size()) throw HostError(msg::kBadEngineRequest("device"));
    return index;
}

std::size_t HostEngine::type_index(channel::BodyReader& in) const {
    const auto index = in.get<std::uint32_t>();
    if (in.failed() || index >= known.buffer_types.size())
        throw HostError(msg::kBadEngineRequest("buffer type"));
    return index;
}

std::span<std::byte> HostEngine::area(std::uint64_t size) const {
    if (size > kAreaData) throw HostError(msg::kBadEngineRequest("size"));
    return shared_area.subspan(kAreaHead, size);
}

bool HostEngine::asked_to_stop(void* user) {
    std::byte* const flag = static_cast<HostEngine*>(user)->shared_area.data();
    return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(flag)).load() != 0;
}

}  // namespace splitscope::ggml
