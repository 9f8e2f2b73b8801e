// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "backends/ggml/ggml_device.hpp"
#include "backends/interface/backend.hpp"

namespace splitscope::ggml {

class GgmlEvent final : public Event {
 public:
    GgmlEvent(std::shared_ptr<Engine> engine, std::uint64_t id) : engine_(std::move(engine)), id_(id) {}
    ~GgmlEvent() override { engine_->drop(Kind::drop_event, id_); }

    void synchronize() override { engine_->wait_here(id_); }
    const Engine& engine() const { return *engine_; }
    std::uint64_t id() const { return id_; }

 private:
    std::shared_ptr<Engine> engine_;
    std::uint64_t id_;
};

/// A stream of an engine's device. Repeatedly computed graphs are built in the engine once.
class GgmlBackend final : public Backend {
 public:
    /// `threads` 0 = the engine's default. Errors: unsupported, if the device cannot be opened.
    GgmlBackend(GgmlDevice& device, std::uint32_t threads);
    ~GgmlBackend() override;

    /// Polled during computation; true stops it with Status::aborted if the device supports that, and
    /// otherwise terminates the engine's process.
    void set_abort_callback(std::function<bool()> abort) { abort_ = std::move(abort); }

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override;
    bool copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                    TensorId destination) override;
    void record(Event& event) override;
    void wait(Event& event) override;
    bool has_plans() const override { return true; }
    std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    Status compute_plan(GraphPlan& plan) override;

 private:
    void use_event(Kind kind, Event& event);

    std::shared_ptr<Engine> engine_;
    std::uint32_t device_;
    std::uint64_t id_;
    std::function<bool()> abort_;
};

}  // namespace splitscope::ggml
