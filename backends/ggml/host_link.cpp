// SPDX-License-Identifier: MIT
#include "backends/ggml/host_link.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/ggml/host_tensors.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {

/// Begin and end of the engine's own copies: the transfer to its process does not count.
MeasuredLink measure_link(const HostEngine& engine, std::size_t device) {
    const Library& library = engine.library;
    // A server may cache larger data it has seen before: stay below the size it looks up.
    constexpr std::uint64_t kBytes = 8U << 20;
    constexpr std::size_t kRepeat = 9;
    const std::uint32_t type = engine.known.facts.devices[device].buffer_type;
    const Library::Buffer buffer = library.buft_alloc(engine.known.buffer_types[type], kBytes);
    if (buffer == nullptr) throw HostError(msg::kEngineOutOfMemory);
    auto* const base = static_cast<char*>(library.buffer_base(buffer));
    const std::span<std::byte> data = engine.area(kBytes);
    std::vector<double> writing;
    std::vector<double> reading;
    std::vector<double> smallest;
    {
        const Tensors tensors(library, 1, 0);
        const Library::Tensor t = tensors.bytes_of(buffer, base, 0, kBytes, engine.known.facts);
        using Clock = std::chrono::steady_clock;
        const auto since = [](Clock::time_point begin) {
            return std::chrono::duration<double>(Clock::now() - begin).count();
        };
        const auto begin = Clock::now();
        // Once suffices for a network that takes seconds.
        for (std::size_t i = 0; i < kRepeat && (i == 0 || since(begin) < 3); ++i) {
            const auto first = Clock::now();
            library.tensor_get(t, data.data(), 0, sizeof(float));
            smallest.push_back(since(first));
            const auto second = Clock::now();
            library.tensor_set(t, data.data(), 0, kBytes);
            // It may still be in transit.
            library.tensor_get(t, data.data(), 0, sizeof(float));
            writing.push_back(since(second));
            const auto third = Clock::now();
            library.tensor_get(t, data.data(), 0, kBytes);
            reading.push_back(since(third));
        }
    }
    library.buffer_free(buffer);
    for (auto* const times : {&writing, &reading, &smallest}) std::ranges::sort(*times);
    const std::size_t middle = writing.size() / 2;
    return {static_cast<double>(kBytes) / std::max(writing[middle], reading[middle]), smallest[middle]};
}

}  // namespace splitscope::ggml
