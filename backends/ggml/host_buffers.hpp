// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "backends/ggml/host_engine.hpp"
#include "backends/ggml/host_tensors.hpp"
#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/repacked_weights.hpp"
#include "backends/ggml/shared_memory.hpp"

namespace splitscope::ggml {

struct HostBuffer {
    Library::Buffer buffer = nullptr;
    char* base = nullptr;
    std::uint64_t size = 0;
    SharedMemory mapping{};
    std::optional<FileIdentity> file{};  ///< of which it is a part
    std::uint64_t file_offset = 0;
};

/// The engine's buffers, and the transfers of their bytes. Members throw HostError.
class HostBuffers {
 public:
    explicit HostBuffers(HostEngine& engine)
        : engine_(engine), library_(engine.library), repacked_(engine.library) {}

    void allocate(ReceivedMessage& question, channel::BodyReader& in, channel::BodyWriter& out);
    /// A part of a file.
    void wrap(channel::BodyReader& in, channel::BodyWriter& out);
    void free_buffer(channel::BodyReader& in);
    /// Its usage, or all its bytes.
    void change_buffer(Kind kind, channel::BodyReader& in);
    void fill(channel::BodyReader& in);
    void write(channel::BodyReader& in);
    void read(channel::BodyReader& in, channel::BodyWriter& out);
    void copy(channel::BodyReader& in);

    const HostBuffer& at(std::uint64_t id) const { return object_of(buffers_, id); }
    RepackedWeights& repacked() { return repacked_; }

    struct Range {
        const HostBuffer& buffer;
        std::uint64_t offset;
        std::uint64_t size;
    };
    Range get_range(channel::BodyReader& in) const;
    /// Source and destination of a copy, of the same size.
    std::pair<Range, Range> get_ranges(channel::BodyReader& in) const;
    Library::Tensor bytes_of(const Tensors& tensors, const Range& range) const {
        return tensors.bytes_of(range.buffer.buffer, range.buffer.base, range.offset, range.size,
                                engine_.known.facts);
    }

 private:
    void keep(HostBuffer buffer, channel::BodyWriter& out);

    HostEngine& engine_;
    const Library& library_;
    RepackedWeights repacked_;
    std::map<std::uint64_t, HostBuffer> buffers_;
};

}  // namespace splitscope::ggml
