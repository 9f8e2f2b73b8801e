// SPDX-License-Identifier: MIT
// The protocol between the program and the process with the engine's libraries (attach.md §2.2): one request
// at a time, each answered. Both ends validate all lengths and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/message_body.hpp"

namespace splitscope::ggml {

inline constexpr std::uint32_t kVersion = 5;
/// The internal command that runs the process.
inline constexpr const char* kHostCommand = "engine-host";
/// Inherited descriptors.
inline constexpr int kHostSocket = 10;
inline constexpr int kHostArea = 11;

/// Sufficient for graphs of a hundred thousand tensors.
inline constexpr std::uint32_t kMaxBody = 256U << 20;
/// Data up to this size is sent in the message, more through the shared area.
inline constexpr std::uint64_t kInline = 4096;
/// The area mapped by both processes: a page of flags, then data.
inline constexpr std::uint64_t kAreaHead = 4096;
inline constexpr std::uint64_t kAreaData = 16U << 20;

enum class Kind : std::uint32_t {
    // Answers.
    done = 1,
    refused = 2,  ///< with the reason
    // Questions.
    open = 16,  ///< loads the libraries
    memory,
    ask,  ///< which nodes a device supports and offloads
    alloc_sizes,
    allocate,
    wrap,  ///< part of a file
    free_buffer,
    usage,
    clear,
    fill,
    write,
    read,
    copy,
    start_backend,
    stop_backend,
    make_graph,
    drop_graph,
    compute,
    synchronize,
    copy_async,
    new_event,
    drop_event,
    record,
    wait,
    wait_here,
    schedule,  ///< the schedule of the engine's own scheduler
    measure_link,
    connect,   ///< to a server, after open
    facts,     ///< after all servers
    unloaded,  ///< libraries of backends that were not loaded
};

/// The libraries and servers loaded by a process.
struct EngineSource {
    std::string folder;
    std::vector<std::string> servers;  ///< "HOST:PORT", whose devices the engine adds to its own

    friend bool operator==(const EngineSource&, const EngineSource&) = default;
    friend auto operator<=>(const EngineSource&,
                            const EngineSource&) = default;  // NOLINT: as in strong_id.hpp
};

/// The engine's numbers.
enum class DeviceType : std::uint32_t { cpu, gpu, integrated, accel, other };

struct BufferTypeFacts {
    std::string name;
    std::uint64_t alignment = 1;
    std::uint64_t max_size = 0;
    bool is_host = false;
};

struct DeviceFacts {
    std::string name;
    std::string description;
    std::string registry;
    std::string server;  ///< address; empty = this computer
    DeviceType type = DeviceType::other;
    std::uint64_t memory_free = 0;
    std::uint64_t memory_total = 0;
    bool async = false;
    bool host_buffer = false;
    bool from_host_memory = false;
    bool events = false;
    std::uint32_t buffer_type = 0;
    std::int32_t host_buffer_type = -1;  ///< -1 = none
    std::vector<bool> reads;             ///< by buffer type
    /// Minimum rows for op offload of a product with weights on the host; 0 = never.
    std::uint64_t offload_batch = 0;
    /// Rows of quantised tensors are padded to a multiple of this many elements.
    std::uint32_t row_pad = 0;
    std::uint64_t alloc_pad = 0;  ///< sizes are rounded up to a multiple of this many bytes; 0 = no
};

/// Facts about an engine.
struct EngineFacts {
    std::string version;  ///< empty = unknown
    std::string commit;
    std::vector<std::string> ops;  ///< names by the engine's numbers
    std::vector<std::string> types;
    std::vector<std::string> unaries;
    std::vector<std::string> glus;
    std::vector<BufferTypeFacts> buffer_types;
    std::vector<DeviceFacts> devices;
};

/// A backend's library that the engine has not loaded.
struct UnloadedLibrary {
    std::string file;
    std::string reason;  ///< the loader's or the engine's; empty = the engine does not look for its name
};

void put(channel::BodyWriter& out, const std::vector<UnloadedLibrary>& libraries);
std::vector<UnloadedLibrary> get_unloaded(channel::BodyReader& in);

void put(channel::BodyWriter& out, const EngineFacts& facts);
EngineFacts get_facts(channel::BodyReader& in);

inline constexpr std::int32_t kNoTensor = -1;
inline constexpr std::size_t kWireSources = 10;
inline constexpr std::size_t kWireDims = 4;
inline constexpr std::size_t kWireParams = 16;

/// A tensor with the engine's own numbers. Sources and view sources precede the tensors that refer to them.
struct WireTensor {
    std::int32_t type = 0;
    std::int32_t op = 0;
    std::int32_t flags = 0;
    std::array<std::int64_t, kWireDims> ne{};
    std::array<std::uint64_t, kWireDims> nb{};
    std::array<std::int32_t, kWireParams> params{};
    std::array<std::int32_t, kWireSources> sources{};
    std::int32_t view_source = kNoTensor;
    std::uint64_t view_offset = 0;
    std::uint64_t buffer = 0;  ///< 0 = none
    std::uint64_t offset = 0;
    std::int32_t buffer_type = -1;  ///< in queries, where no buffer exists yet
    std::int32_t usage = 1;         ///< of that buffer
    std::string name;
};

struct WireGraph {
    std::vector<WireTensor> tensors;
    std::vector<std::uint32_t> nodes;
};

/// A graph for the engine's scheduler.
struct ScheduleQuestion {
    std::vector<std::uint32_t> devices;  ///< of its backends, by priority
    bool parallel = false;
    bool op_offload = true;
    WireGraph graph;
    std::vector<std::uint32_t> leafs;  ///< in the order in which they are allocated
    std::vector<std::pair<std::uint32_t, std::uint32_t>> assignments;  ///< tensor, backend
};

struct ScheduleAnswer {
    std::vector<std::int32_t> backend;  ///< by tensor; -1 = none
    std::uint32_t splits = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;  ///< tensor, backend that gets it
    std::vector<std::uint64_t> sizes;  ///< of the compute buffers, by backend; empty = unknown
};

void put(channel::BodyWriter& out, const ScheduleQuestion& question);
ScheduleQuestion get_schedule_question(channel::BodyReader& in);
void put(channel::BodyWriter& out, const ScheduleAnswer& answer);
ScheduleAnswer get_schedule_answer(channel::BodyReader& in);

void put(channel::BodyWriter& out, const WireGraph& graph);
/// References must point to earlier tensors of the graph; otherwise the reader is marked as malformed.
WireGraph get_graph(channel::BodyReader& in);

}  // namespace splitscope::ggml
