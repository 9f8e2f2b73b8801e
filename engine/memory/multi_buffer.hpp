// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/interface/buffer.hpp"

namespace splitscope {

/// Several buffers presented as one, for contexts above a type's maximum size (backend-api.md §3.1). Type and
/// name are those of part 0, the size is the sum. Reading, writing, filling and copying through it throw
/// Error(unsupported). clear() and set_usage() apply to every part.
class MultiBuffer final : public Buffer {
 public:
    /// Takes ownership of at least one part. Errors: null.
    static std::unique_ptr<MultiBuffer> make(std::vector<std::unique_ptr<Buffer>> parts);

    const std::vector<std::unique_ptr<Buffer>>& parts() const { return parts_; }

    const std::string& name() const override { return parts_.front()->name(); }
    void set_usage(BufferUsage usage) override;
    void write(std::uint64_t offset, std::span<const std::byte> data) override;
    void read(std::uint64_t offset, std::span<std::byte> data) override;
    void clear(std::byte value) override;

 private:
    explicit MultiBuffer(std::vector<std::unique_ptr<Buffer>> parts, std::uint64_t size);

    std::vector<std::unique_ptr<Buffer>> parts_;
};

}  // namespace splitscope
