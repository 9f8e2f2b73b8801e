// SPDX-License-Identifier: MIT
#include "backends/ggml/ggml_backend.hpp"

#include "backends/ggml/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::ggml {
namespace {

/// A graph in the engine's process.
class GgmlPlan final : public GraphPlan {
 public:
    GgmlPlan(std::shared_ptr<Engine> engine, std::uint32_t device, const WireGraph& graph)
        : engine_(std::move(engine)) {
        if (!graph.nodes.empty()) id_ = engine_->make_graph(device, graph);
    }
    ~GgmlPlan() override {
        if (id_ != 0) engine_->drop(Kind::drop_graph, id_);
    }

    bool is_empty() const { return id_ == 0; }
    std::uint64_t id() const { return id_; }

 private:
    std::shared_ptr<Engine> engine_;
    std::uint64_t id_ = 0;
};

}  // namespace

GgmlBackend::GgmlBackend(GgmlDevice& device, std::uint32_t threads)
    : Backend(device),
      engine_(device.engine()),
      device_(device.index()),
      id_(engine_->start_backend(device.index(), threads)) {}

GgmlBackend::~GgmlBackend() {
    engine_->drop(Kind::stop_backend, id_);
}

Guid GgmlBackend::guid() const {
    return {0x2e, 0x91, 0x5d, 0x0c, 0x73, 0xf4, 0x4e, 0x1b, 0xa6, 0x0f, 0x58, 0xc2, 0x17, 0x9a, 0x3d, 0x64};
}

Status GgmlBackend::compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) {
    const auto plan = create_plan(graph, nodes);
    const Status status = compute_plan(*plan);
    // The plan owns the graph.
    synchronize();
    return status;
}

void GgmlBackend::synchronize() {
    engine_->synchronize(id_, abort_);
}

std::unique_ptr<GraphPlan> GgmlBackend::create_plan(const BoundGraph& graph,
                                                    std::span<const TensorId> nodes) {
    return std::make_unique<GgmlPlan>(engine_, device_, placed_graph(graph, nodes, *engine_, name()));
}

Status GgmlBackend::compute_plan(GraphPlan& plan) {
    const auto& own = dynamic_cast<const GgmlPlan&>(plan);
    return own.is_empty() ? Status::success : engine_->compute(id_, own.id(), abort_);
}

bool GgmlBackend::copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                             TensorId destination) {
    auto* const other = dynamic_cast<GgmlBackend*>(&source_backend);
    const auto* const from = dynamic_cast<const GgmlBuffer*>(graph.buffer_of(source));
    const auto* const to = dynamic_cast<const GgmlBuffer*>(graph.buffer_of(destination));
    if (other == nullptr || from == nullptr || to == nullptr || other->engine_ != engine_ ||
        &from->engine() != engine_.get() || &to->engine() != engine_.get())
        return false;
    const std::uint64_t bytes = byte_size(graph[source]);
    if (bytes > 0) {
        engine_->copy_async({from->id(), graph.offset_of(source)}, {to->id(), graph.offset_of(destination)},
                            bytes, other->id_, id_);
    }
    return true;
}

void GgmlBackend::use_event(Kind kind, Event& event) {
    const auto* const own = dynamic_cast<const GgmlEvent*>(&event);
    if (own == nullptr || &own->engine() != engine_.get()) {
        // Wait for work of other backends here.
        if (kind == Kind::wait) return event.synchronize();
        throw Error(ErrorKind::state, msg::kForeignEvent, name(), msg::kUseItsBackend);
    }
    engine_->use_event(kind, own->id(), id_);
}

void GgmlBackend::record(Event& event) {
    use_event(Kind::record, event);
}

void GgmlBackend::wait(Event& event) {
    use_event(Kind::wait, event);
}

}  // namespace splitscope::ggml
