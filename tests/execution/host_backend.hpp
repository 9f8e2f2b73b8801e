// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::testing {

/// Calls of a test's backends in order, e.g. "GPU0 compute b", "GPU0 synchronize"; and blocking transfers of
/// their memory: "GPU0 write", "GPU0 read".
using CallLog = std::vector<std::string>;

/// If set, called at a chosen point; its exceptions are the point's failure.
using Hook = std::function<void()>;

inline void call(const Hook& hook) {
    if (hook) hook();
}

/// Ordinary memory that may pretend not to be host memory.
class HostBufferType : public BufferType {
 public:
    /// `on_copy` is called by each transfer into or out of its buffers.
    HostBufferType(std::string name, bool host, CallLog& log, const Hook& on_copy)
        : name_(std::move(name)), host_(host), log_(log), on_copy_(on_copy) {}
    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override { return 32; }
    bool is_host() const override { return host_; }
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

 private:
    std::string name_;
    bool host_;
    CallLog& log_;
    const Hook& on_copy_;
};

class HostBuffer : public Buffer {
 public:
    HostBuffer(BufferType& type, std::uint64_t size, CallLog& log, const Hook& on_copy)
        : Buffer(type, size), memory_(size), log_(log), on_copy_(on_copy) {}
    std::byte* host_base() override { return memory_.data(); }
    void write(std::uint64_t offset, std::span<const std::byte> data) override {
        log_.push_back(name() + " write");
        call(on_copy_);
        std::memcpy(memory_.data() + offset, data.data(), data.size());
    }
    void read(std::uint64_t offset, std::span<std::byte> data) override {
        log_.push_back(name() + " read");
        call(on_copy_);
        std::memcpy(data.data(), memory_.data() + offset, data.size());
    }
    void clear(std::byte value) override { memory_.assign(memory_.size(), value); }

 private:
    std::vector<std::byte> memory_;
    CallLog& log_;
    const Hook& on_copy_;
};

inline std::unique_ptr<Buffer> HostBufferType::allocate(std::uint64_t size) {
    return std::make_unique<HostBuffer>(*this, size, log_, on_copy_);
}

class LoggedEvent : public Event {
 public:
    LoggedEvent(CallLog& log, std::string device) : log_(log), device_(std::move(device)) {}
    void synchronize() override { log_.push_back(device_ + " event-synchronize"); }

 private:
    CallLog& log_;
    std::string device_;
};

/// A device whose backend computes ADD and MUL of contiguous F32 tensors and logs every call.
class HostDevice : public Device {
 public:
    HostDevice(std::string name, DeviceKind kind, CallLog& log, bool events = false)
        : name_(std::move(name)),
          kind_(kind),
          log_(log),
          events_(events),
          type_(name_, kind == DeviceKind::cpu, log, on_copy) {}

    const std::string& name() const override { return name_; }
    DeviceKind kind() const override { return kind_; }
    BufferType& buffer_type() override { return type_; }
    OpSupport supports_op(const OpQuery&) const override { return {}; }
    bool supports_buffer_type(const BufferType& type) const override { return &type == &type_; }
    bool offload_op(const OpQuery& query) const override {
        return kind_ != DeviceKind::cpu && query.tensor().op == Op::mul_mat_id;
    }
    std::unique_ptr<Event> new_event() override {
        return events_ ? std::make_unique<LoggedEvent>(log_, name_) : nullptr;
    }
    std::unique_ptr<Backend> new_backend() override;
    CallLog& log() { return log_; }

    Status next_status = Status::success;  ///< the status of computations
    bool async_copies = false;             ///< it accepts asynchronous copies
    Hook on_compute;                       ///< called by each computation
    Hook on_copy;                          ///< called by each requested copy, and each transfer of its memory
    Hook on_synchronize;                   ///< called by each synchronisation
    bool makes_plans = false;
    bool plans_ahead = false;
    bool lacks_memory_for_plans = false;
    bool reverses = false;  ///< its splits are computed from back to front

 private:
    std::string name_;
    DeviceKind kind_;
    CallLog& log_;
    bool events_;
    HostBufferType type_;
};

class HostBackend : public Backend {
 public:
    explicit HostBackend(HostDevice& device) : Backend(device), host_(device) {}
    Guid guid() const override { return {}; }

    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override {
        std::string line = name() + " compute";
        for (const TensorId id : nodes) line += " " + graph[id].name;
        host_.log().push_back(line);
        call(host_.on_compute);
        if (host_.next_status != Status::success) return host_.next_status;
        for (const TensorId id : nodes) compute_node(graph, id);
        return Status::success;
    }
    void synchronize() override {
        host_.log().push_back(name() + " synchronize");
        call(host_.on_synchronize);
    }
    bool set_async(const BoundGraph& graph, TensorId id, std::span<const std::byte> data,
                   std::uint64_t offset) override {
        host_.log().push_back(name() + " set " + graph[id].name + " +" + std::to_string(offset) + " " +
                              std::to_string(data.size()));
        call(host_.on_copy);
        std::memcpy(graph.host_data(id) + offset, data.data(), data.size());
        return true;
    }
    bool get_async(const BoundGraph& graph, TensorId id, std::span<std::byte> data,
                   std::uint64_t offset) override {
        host_.log().push_back(name() + " get " + graph[id].name);
        call(host_.on_copy);
        std::memcpy(data.data(), graph.host_data(id) + offset, data.size());
        return true;
    }
    bool copy_async(Backend&, const BoundGraph& graph, TensorId source, TensorId destination) override {
        host_.log().push_back(name() + (host_.async_copies ? " copy " : " declines ") + graph[source].name);
        call(host_.on_copy);
        if (!host_.async_copies) return false;
        std::memcpy(graph.host_data(destination), graph.host_data(source), byte_size(graph[source]));
        return true;
    }
    void optimize_graph(const GraphView&, std::vector<TensorId>& nodes, std::vector<KeptTensor>&) override {
        if (host_.reverses) std::reverse(nodes.begin(), nodes.end());
    }
    bool has_plans() const override { return host_.makes_plans; }
    bool plans_ahead() const override { return host_.plans_ahead; }
    void prepare_transfers(const BoundGraph& graph, std::span<const std::uint64_t> uploads,
                           std::span<const TensorId> wanted) override {
        std::string line = name() + " makes room for";
        for (const std::uint64_t bytes : uploads) line += " " + std::to_string(bytes);
        for (const TensorId id : wanted) line += " " + graph[id].name;
        host_.log().push_back(line);
    }
    std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph,
                                           std::span<const TensorId> nodes) override {
        host_.log().push_back(name() + " plan");
        if (host_.lacks_memory_for_plans) {
            throw Error(ErrorKind::memory, Message::verbatim("no room"), name(),
                        Message::verbatim("buy some"));
        }
        return std::make_unique<Plan>(graph, nodes);
    }
    Status compute_plan(GraphPlan& plan) override {
        host_.log().push_back(name() + " by plan");
        const auto& own = dynamic_cast<Plan&>(plan);
        return compute_async(own.graph, own.nodes);
    }
    void record(Event&) override { host_.log().push_back(name() + " record"); }
    void wait(Event&) override { host_.log().push_back(name() + " wait"); }

 private:
    struct Plan final : GraphPlan {
        Plan(const BoundGraph& of, std::span<const TensorId> all)
            : graph(of), nodes(all.begin(), all.end()) {}
        const BoundGraph& graph;
        std::vector<TensorId> nodes;
    };

    static void compute_node(const BoundGraph& graph, TensorId id) {
        const Tensor& t = graph[id];
        if (t.op != Op::add && t.op != Op::mul) return;
        const auto values = [&](TensorId tensor) {
            return reinterpret_cast<float*>(graph.host_data(tensor));
        };
        const float* a = values(graph.sources(id)[0]);
        const float* b = values(graph.sources(id)[1]);
        float* out = values(id);
        for (std::int64_t i = 0; i < element_count(t); ++i)
            out[i] = t.op == Op::add ? a[i] + b[i] : a[i] * b[i];
    }

    HostDevice& host_;
};

inline std::unique_ptr<Backend> HostDevice::new_backend() {
    return std::make_unique<HostBackend>(*this);
}

}  // namespace splitscope::testing
