// SPDX-License-Identifier: MIT
#include "tests/reports/sample_analysis.hpp"

#include <fmt/format.h>

#include "engine/tensor/graph.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::test {
namespace {

class SampleGraph {
 public:
    TensorId leaf(const std::string& name, Shape ne, const std::string& buffer) {
        const TensorId id = add(name, Op::none, ne, {});
        if (buffer.empty()) {
            graph_.tensors[id.index()].flags = TensorFlags::input;
        } else {
            graph_.tensors[id.index()].buffer = graph_.buffer_named(buffer);
        }
        graph_.leafs.push_back(id);
        return id;
    }

    TensorId node(const std::string& name, Op op, Shape ne, std::initializer_list<TensorId> sources) {
        const TensorId id = add(name, op, ne, sources);
        graph_.nodes.push_back(id);
        return id;
    }

    void list_again(TensorId node) { graph_.nodes.push_back(node); }

    std::shared_ptr<const Graph> finish(const std::string& name) {
        graph_.name = name;
        validate(graph_);
        return std::make_shared<const Graph>(std::move(graph_));
    }

 private:
    TensorId add(const std::string& name, Op op, Shape ne, std::initializer_list<TensorId> sources) {
        Tensor t;
        t.name = name;
        t.op = op;
        t.ne = ne;
        t.nb = contiguous_strides(t.type, ne);
        std::size_t slot = 0;
        for (const TensorId source : sources) t.src[slot++] = source;
        graph_.tensors.push_back(t);
        return TensorId(graph_.tensors.size() - 1);
    }

    Graph graph_;
};

std::shared_ptr<const Analysis> analyse_graph(std::shared_ptr<const Graph> graph, Machine machine) {
    auto file = std::make_shared<OpenedFile>();
    file->path = "/home/somebody/private/example.graph.json";
    file->graph = std::move(graph);
    Session session;
    session.machine = std::move(machine);
    session.file = std::move(file);
    return analyse(session);
}

}  // namespace

std::shared_ptr<const Analysis> two_backend_analysis(const std::string& weight_name) {
    SampleGraph graph;
    const TensorId gpu_weight = graph.leaf(weight_name, {64, 64, 1, 1}, "gpu-weights");
    const TensorId cpu_weight = graph.leaf("cpu weight", {64, 64, 1, 1}, "cpu-weights");
    const TensorId input = graph.leaf("input", {64, 4, 1, 1}, "");
    const TensorId first = graph.node("first", Op::mul_mat, {64, 4, 1, 1}, {gpu_weight, input});
    const TensorId squared = graph.node("squared", Op::sqr, {64, 4, 1, 1}, {first});
    const TensorId second = graph.node("second", Op::mul_mat, {64, 4, 1, 1}, {cpu_weight, squared});
    graph.node("sum", Op::add, {64, 4, 1, 1}, {second, squared});
    Machine machine = default_machine();
    machine.buffers = {{"gpu-weights", machine.backends[0].buffer_type, BufferUsage::weights},
                       {"cpu-weights", machine.backends[1].buffer_type, BufferUsage::weights}};
    machine.backends[0].offload_min_batch.reset();
    return analyse_graph(graph.finish("two products"), std::move(machine));
}

std::shared_ptr<const Analysis> long_analysis(std::size_t nodes) {
    SampleGraph graph;
    TensorId last = graph.leaf("input", {32, 1, 1, 1}, "");
    Machine machine = default_machine();
    for (std::size_t i = 0; i < nodes; ++i) {
        last = graph.node(fmt::format("step-{}", i), Op::add, {32, 1, 1, 1}, {last, last});
        machine.assignments.push_back({last, BackendId(i % 10 == 9 ? std::size_t{1} : std::size_t{0})});
    }
    return analyse_graph(graph.finish("chain"), std::move(machine));
}

std::shared_ptr<const Analysis> twice_listed_analysis() {
    const Shape row = {4, 1, 1, 1};
    Machine machine;
    machine.name = "two devices";
    machine.buffer_types = {{"GPU0", 128, std::nullopt, false, 0},
                            {"GPU1", 128, std::nullopt, false, 0},
                            {"CPU", 32, std::nullopt, true, 0}};
    for (std::size_t b = 0; b < machine.buffer_types.size(); ++b) {
        MachineBackend backend;
        backend.name = machine.buffer_types[b].name;
        backend.device = machine.buffer_types[b].is_host ? DeviceKind::cpu : DeviceKind::gpu;
        backend.buffer_type = BufferTypeId(b);
        backend.supports_buffer_types = {BufferTypeId(b)};
        machine.backends.push_back(std::move(backend));
    }
    SampleGraph graph;
    const auto node = [&](const std::string& name, Op op, std::initializer_list<TensorId> sources,
                          std::size_t backend) {
        const TensorId id = graph.node(name, op, row, sources);
        machine.assignments.push_back({id, BackendId(backend)});
        return id;
    };
    TensorId last = node("first", Op::sqr, {graph.leaf("input", row, "")}, 0);
    const TensorId twice = graph.node("twice", Op::reshape, row, {last});
    for (std::size_t i = 1; i < 100; ++i)
        last = node(fmt::format("step-{}", i), Op::add, {last, twice}, i % 2);
    last = node("root", Op::sqrt, {last}, 2);
    graph.list_again(twice);
    node("root of it", Op::sqrt, {last}, 2);
    return analyse_graph(graph.finish("listed twice"), std::move(machine));
}

std::shared_ptr<const Analysis> many_buffers_analysis(std::size_t buffers) {
    auto graph = std::make_shared<Graph>();
    Machine machine = default_machine();
    Tensor t;
    t.ne = {4, 1, 1, 1};
    t.nb = contiguous_strides(t.type, t.ne);
    for (std::size_t i = 0; i < buffers; ++i) {
        graph->buffers.push_back(fmt::format("one of very many buffers, number {:06}", i));
        machine.buffers.push_back({graph->buffers.back(), BufferTypeId(1), BufferUsage::weights});
        t.name = fmt::format("leaf-{}", i);
        t.buffer = BufferRef(i);
        graph->leafs.emplace_back(i);
        graph->tensors.push_back(t);
    }
    t.name = "sum";
    t.op = Op::add;
    t.buffer = {};
    t.src[0] = t.src[1] = graph->leafs.front();
    graph->nodes.emplace_back(buffers);
    graph->tensors.push_back(t);
    return analyse_graph(std::move(graph), std::move(machine));
}

}  // namespace splitscope::test
