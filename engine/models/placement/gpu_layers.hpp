// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace splitscope {

/// Number of layers offloaded to accelerators; the output layer counts as one.
class GpuLayers {
 public:
    constexpr GpuLayers(std::int32_t count) : count_(std::max(count, 0)) {}
    static constexpr GpuLayers half() { return GpuLayers(Share::half); }
    static constexpr GpuLayers all() { return GpuLayers(Share::all); }

    /// The number as given; none for half() and all().
    constexpr std::optional<std::int32_t> count() const {
        return share_ == Share::counted ? std::optional(count_) : std::nullopt;
    }
    /// The number of offloaded layers of a model with `layers`, output layer included.
    constexpr std::int32_t of(std::int32_t layers) const {
        if (share_ == Share::all) return layers;
        return share_ == Share::half ? (layers + 1) / 2 : std::min(count_, layers);
    }
    friend constexpr bool operator==(GpuLayers, GpuLayers) = default;

 private:
    enum class Share : std::uint8_t { counted, half, all };
    explicit constexpr GpuLayers(Share share) : share_(share) {}

    Share share_ = Share::counted;
    std::int32_t count_ = 0;
};

}  // namespace splitscope
