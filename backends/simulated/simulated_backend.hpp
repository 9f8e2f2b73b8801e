// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "backends/interface/backend.hpp"
#include "backends/simulated/call_log.hpp"

namespace splitscope {

/// An event of a simulated device; waiting only adds a log entry.
class SimulatedEvent final : public Event {
 public:
    explicit SimulatedEvent(CallLog& log) : log_(log), number_(log.events++) {}
    int number() const { return number_; }
    void synchronize() override { log_.calls.push_back({CallKind::synchronize_event, {}, {}, {}, number_}); }

 private:
    CallLog& log_;
    int number_;
};

/// A backend that computes nothing and logs its calls.
class SimulatedBackend final : public Backend {
 public:
    SimulatedBackend(Device& device, CallLog& log, bool reorders)
        : Backend(device), log_(log), reorders_(reorders) {}

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override { note(CallKind::synchronize); }
    bool set_async(const BoundGraph& graph, TensorId tensor, std::span<const std::byte> data,
                   std::uint64_t offset) override;
    bool get_async(const BoundGraph& graph, TensorId tensor, std::span<std::byte> data,
                   std::uint64_t offset) override;
    bool copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                    TensorId destination) override;
    void optimize_graph(const GraphView& graph, std::vector<TensorId>& nodes,
                        std::vector<KeptTensor>& kept) override;
    void record(Event& event) override;
    void wait(Event& event) override;

 private:
    bool is_async() const { return device().capabilities().async; }
    void note(CallKind kind, TensorId first = {}, TensorId last = {}, int event = -1) {
        log_.calls.push_back({kind, name(), first, last, event});
    }

    CallLog& log_;
    bool reorders_;
};

}  // namespace splitscope
