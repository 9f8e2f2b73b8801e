// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::test {

/// Memory that stores bytes, in host memory or not. No direct copies between buffers by default.
class StoringType final : public BufferType {
 public:
    StoringType(std::string name, bool is_host) : name_(std::move(name)), is_host_(is_host) {}
    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override { return 32; }
    bool is_host() const override { return is_host_; }
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

    bool copies_directly = false;
    bool fails = false;
    int direct_copies = 0;

 private:
    std::string name_;
    bool is_host_;
};

class StoringBuffer final : public Buffer {
 public:
    StoringBuffer(StoringType& type, std::uint64_t size)
        : Buffer(type, size), storing_(type), memory_(size) {}
    std::byte* host_base() override { return is_host() ? memory_.data() : nullptr; }
    void write(std::uint64_t offset, std::span<const std::byte> data) override {
        std::memcpy(memory_.data() + offset, data.data(), data.size());
    }
    void read(std::uint64_t offset, std::span<std::byte> data) override {
        std::memcpy(data.data(), memory_.data() + offset, data.size());
    }
    void clear(std::byte value) override { memory_.assign(memory_.size(), value); }
    bool copy_from(Buffer& source, std::uint64_t from, std::uint64_t to, std::uint64_t size) override {
        if (!storing_.copies_directly) return false;
        ++storing_.direct_copies;
        source.read(from, {memory_.data() + to, size});
        return true;
    }
    std::vector<std::byte>& memory() { return memory_; }

 private:
    StoringType& storing_;
    std::vector<std::byte> memory_;
};

inline std::unique_ptr<Buffer> StoringType::allocate(std::uint64_t size) {
    if (fails) throw Error(ErrorKind::memory, Message::verbatim("no memory left"), name_);
    return std::make_unique<StoringBuffer>(*this, size);
}

/// Computes ADD and SCALE-by-two of contiguous F32 tensors, by reading and writing its buffers.
class AddingDevice final : public Device {
 public:
    explicit AddingDevice(std::string name, DeviceKind kind = DeviceKind::cpu, float error = 0)
        : name_(std::move(name)), kind_(kind), error_(error), type_(name_, kind == DeviceKind::cpu) {}
    const std::string& name() const override { return name_; }
    DeviceKind kind() const override { return kind_; }
    StoringType& buffer_type() override { return type_; }
    OpSupport supports_op(const OpQuery&) const override { return {}; }
    bool supports_buffer_type(const BufferType& type) const override { return &type == &type_; }
    std::unique_ptr<Backend> new_backend() override;
    float error() const { return error_; }

 private:
    std::string name_;
    DeviceKind kind_;
    float error_;
    StoringType type_;
};

class AddingBackend final : public Backend {
 public:
    explicit AddingBackend(AddingDevice& device) : Backend(device), adding_(device) {}
    Guid guid() const override { return {1}; }
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override {
        for (const TensorId id : nodes) compute(graph, id);
        return Status::success;
    }

 private:
    static std::vector<float> values(const BoundGraph& graph, TensorId id) {
        std::vector<float> all(static_cast<std::size_t>(element_count(graph[id])));
        graph.buffer_of(id)->read(graph.offset_of(id), std::as_writable_bytes(std::span(all)));
        return all;
    }
    void compute(const BoundGraph& graph, TensorId id) const {
        const Op op = graph[id].op;
        if (op != Op::add && op != Op::scale) return;
        std::vector<float> result = values(graph, graph.sources(id)[0]);
        const std::vector<float> other = op == Op::add ? values(graph, graph.sources(id)[1]) : result;
        for (std::size_t i = 0; i < result.size(); ++i) result[i] += other[i] + adding_.error();
        graph.buffer_of(id)->write(graph.offset_of(id), std::as_bytes(std::span(result)));
    }
    AddingDevice& adding_;
};

inline std::unique_ptr<Backend> AddingDevice::new_backend() {
    return std::make_unique<AddingBackend>(*this);
}

}  // namespace splitscope::test
