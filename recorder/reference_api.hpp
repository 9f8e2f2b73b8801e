// SPDX-License-Identifier: MIT
// Public C functions of ggml used by a recording, declared independently (capture.md §1.1, §1.3). Its objects
// are only passed through.
#pragma once

#include <cstddef>

namespace splitscope::recorder {

// Complete types: sanitizers compare those of functions.
struct SchedulerTag {};
struct AllocatorTag {};
struct ComputeGraphTag {};
struct TensorTag {};  // in this namespace: the engine has a type of this name
struct BackendTag {};
struct BufferTypeTag {};
struct BufferTag {};
struct DeviceTag {};

using Scheduler = SchedulerTag*;
using Allocator = AllocatorTag*;
using ComputeGraph = ComputeGraphTag*;
using TensorPtr = TensorTag*;
using Backend = BackendTag*;
using BufferType = BufferTypeTag*;
using Buffer = BufferTag*;
using Device = DeviceTag*;

/// A value of device_type().
inline constexpr int kCpuDevice = 0;

/// Offsets of a tensor's members. Two layouts are known, distinguished by the offset of the name.
struct TensorLayout {
    std::size_t name = 0;
    std::size_t sources = 0;
    std::size_t view_source = 0;
    std::size_t view_offset = 0;

    /// The data pointer precedes the name.
    std::size_t data() const { return name - sizeof(void*); }

    static constexpr std::size_t kType = 0;
    static constexpr std::size_t kBuffer = 8;
    static constexpr std::size_t kElements = 16;
    static constexpr std::size_t kStrides = 48;
    static constexpr std::size_t kOperation = 80;
    static constexpr std::size_t kParameters = 84;
    static constexpr std::size_t kFlags = 148;
    static constexpr std::size_t kSources = 10;
    static constexpr std::size_t kParameterCount = 16;
    static constexpr std::size_t kDims = 4;
};

inline constexpr TensorLayout kLayoutSince2025{256, 152, 232, 240};
inline constexpr TensorLayout kLayoutOf2024{264, 160, 240, 248};

}  // namespace splitscope::recorder
