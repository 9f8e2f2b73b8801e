// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "backends/ggml/host_engine.hpp"

namespace splitscope::ggml {

struct MeasuredLink {
    double bytes_per_second = 0;
    double seconds = 0;  ///< of the smallest transfer
};

/// Measures transfers between the host process and a device. Throws HostError.
MeasuredLink measure_link(const HostEngine& engine, std::size_t device);

}  // namespace splitscope::ggml
