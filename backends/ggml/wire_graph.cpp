// SPDX-License-Identifier: MIT
#include "backends/ggml/wire_graph.hpp"

#include <algorithm>
#include <utility>

#include "backends/ggml/engine.hpp"
#include "backends/ggml/ggml_buffer.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::ggml {
namespace {

constexpr std::int32_t kOutput = 2;  ///< a tensor's flag

std::int32_t index_in(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin());
}

/// Type and shape, without operation and sources.
WireTensor bare(const Tensor& t, const Numbers& numbers) {
    WireTensor wire;
    wire.type = numbers.type(t.type);
    wire.op = numbers.op(Op::none);
    std::ranges::copy(t.ne, wire.ne.begin());
    std::ranges::transform(t.nb, wire.nb.begin(), [](auto n) { return static_cast<std::uint64_t>(n); });
    wire.sources.fill(kNoTensor);
    return wire;
}

/// Collects the nodes to compute.
class Placing {
 public:
    Placing(const BoundGraph& graph, const Engine& engine, const std::string& device)
        : graph_(graph), engine_(engine), device_(device), index_(graph.view().tensor_count(), kNoTensor) {}

    void add_node(TensorId id) {
        const Tensor& t = graph_[id];
        if (t.op == Op::none || index_[id.index()] != kNoTensor) return;
        WireTensor wire = started(id);
        wire.op = engine_.numbers().op(t.op);
        const auto params = engine_.numbers().params(t);
        if (wire.op < 0 || !params) refuse_op(t);
        std::ranges::copy(*params, wire.params.begin());
        const Sources& sources = graph_.sources(id);
        for (std::size_t s = 0; s < sources.size(); ++s)
            if (sources[s].valid()) wire.sources[s] = index_of(sources[s]);
        out_.nodes.push_back(add(id, std::move(wire)));
    }

    /// Sources of nodes outside `nodes`.
    void mark_outputs(std::span<const TensorId> nodes) {
        std::vector<bool> inside(index_.size());
        for (const std::uint32_t node : out_.nodes) inside[ids_[node].index()] = true;
        for (const TensorId node : nodes) {
            if (inside[node.index()]) continue;
            for (const TensorId source : graph_.sources(node)) {
                if (!source.valid()) continue;
                mark(source);
                mark(graph_.view().memory_of(source));
            }
        }
    }

    WireGraph take() { return std::move(out_); }

 private:
    [[noreturn]] void refuse_op(const Tensor& t) const {
        throw Error(ErrorKind::unsupported, msg::kEngineLacksOp(name_of(t.op), name_of(t.type)), t.name,
                    msg::kTryOtherEngine);
    }

    void mark(TensorId id) {
        if (index_[id.index()] != kNoTensor)
            out_.tensors[static_cast<std::size_t>(index_[id.index()])].flags |= kOutput;
    }

    WireTensor started(TensorId id) {
        const Tensor& t = graph_[id];
        WireTensor wire = bare(t, engine_.numbers());
        if (wire.type < 0) refuse_op(t);
        wire.flags = static_cast<std::int32_t>(t.flags);
        wire.name = cut_name(t.name);
        if (t.is_view()) {
            wire.view_source = index_of(t.view_src);
            wire.view_offset = static_cast<std::uint64_t>(t.view_offs);
            return wire;
        }
        auto* const buffer = dynamic_cast<GgmlBuffer*>(graph_.buffer_of(id));
        if (buffer == nullptr || &buffer->engine() != &engine_) {
            if (is_empty(t)) return wire;
            throw Error(ErrorKind::no_buffer, msg::kNotInMemoryOf(device_), t.name,
                        msg::kPlaceInDeviceBuffer);
        }
        wire.buffer = buffer->id();
        wire.offset = graph_.place(id).offset;
        return wire;
    }

    std::uint32_t add(TensorId id, WireTensor wire) {
        const auto index = static_cast<std::uint32_t>(out_.tensors.size());
        index_[id.index()] = static_cast<std::int32_t>(index);
        out_.tensors.push_back(std::move(wire));
        ids_.push_back(id);
        return index;
    }

    /// One of these nodes, or a placeholder for an outside tensor.
    std::int32_t index_of(TensorId id) {
        if (index_[id.index()] == kNoTensor) {
            WireTensor wire = started(id);
            add(id, std::move(wire));
        }
        return index_[id.index()];
    }

    const BoundGraph& graph_;
    const Engine& engine_;
    const std::string& device_;
    std::vector<std::int32_t> index_;  ///< by tensor
    std::vector<TensorId> ids_;        ///< of the tensors of out_
    WireGraph out_;
};

}  // namespace

Numbers::Numbers(const EngineFacts& facts) {
    for (std::size_t i = 0; i < kOpCount; ++i) ops_[i] = index_in(facts.ops, name_of(static_cast<Op>(i)));
    types_.fill(-1);
    for (std::uint32_t i = 0; i < types_.size(); ++i)
        if (const auto type = element_type_numbered(i)) types_[i] = index_in(facts.types, name_of(*type));
    for (std::size_t i = 0; i <= static_cast<std::size_t>(UnaryKind::trunc); ++i)
        unaries_.push_back(index_in(facts.unaries, name_of(static_cast<UnaryKind>(i))));
    for (std::size_t i = 0; i <= static_cast<std::size_t>(GluKind::swiglu_clamp); ++i)
        glus_.push_back(index_in(facts.glus, name_of(static_cast<GluKind>(i))));
}

std::optional<OpParams> Numbers::params(const Tensor& node) const {
    OpParams params = node.op_params;
    if (node.op != Op::unary && node.op != Op::glu) return params;
    const auto& kinds = node.op == Op::unary ? unaries_ : glus_;
    const auto kind = static_cast<std::size_t>(params[0]);
    if (params[0] < 0 || kind >= kinds.size() || kinds[kind] < 0) return std::nullopt;
    params[0] = kinds[kind];
    return params;
}

Question question_about(const OpQuery& query, const Engine& engine, std::uint32_t device) {
    const Numbers& numbers = engine.numbers();
    const Tensor& t = query.tensor();
    Question question;
    WireTensor node = bare(t, numbers);
    node.op = numbers.op(t.op);
    const auto params = numbers.params(t);
    if (node.op < 0 || !params) {
        question.known = {RefusalRule::op, query.node, t.type};
        return question;
    }
    if (node.type < 0) {
        question.known = {RefusalRule::type, query.node, t.type};
        return question;
    }
    std::ranges::copy(*params, node.params.begin());
    const Sources& sources = query.graph.sources(query.node);
    for (std::size_t s = 0; s < sources.size(); ++s) {
        if (!sources[s].valid()) continue;
        const Tensor& source = query.graph[sources[s]];
        WireTensor wire = bare(source, numbers);
        if (wire.type < 0) {
            question.known = {RefusalRule::type, sources[s], source.type};
            return question;
        }
        const auto* const type = dynamic_cast<const GgmlBufferType*>(query.buffer_type_of(sources[s]));
        if (type != nullptr && &type->engine() == &engine)
            wire.buffer_type = static_cast<std::int32_t>(type->index());
        node.sources[s] = static_cast<std::int32_t>(question.graph.tensors.size());
        question.graph.tensors.push_back(std::move(wire));
    }
    question.graph.nodes = {static_cast<std::uint32_t>(question.graph.tensors.size())};
    question.graph.tensors.push_back(std::move(node));
    channel::BodyWriter key;
    key.put(device);
    put(key, question.graph);
    question.key = key.take();
    return question;
}

void append(WireGraph& to, const WireGraph& from) {
    const auto shift = static_cast<std::int32_t>(to.tensors.size());
    const auto move = [shift](std::int32_t& index) {
        if (index != kNoTensor) index += shift;
    };
    for (const WireTensor& t : from.tensors) {
        WireTensor& copy = to.tensors.emplace_back(t);
        for (std::int32_t& source : copy.sources) move(source);
        move(copy.view_source);
    }
    for (const std::uint32_t node : from.nodes) to.nodes.push_back(node + static_cast<std::uint32_t>(shift));
}

std::optional<WireGraph> size_question(const GraphView& graph, TensorId tensor, const Numbers& numbers) {
    const Tensor& t = graph[tensor];
    WireGraph question;
    WireTensor wire = bare(t, numbers);
    if (wire.type < 0) return std::nullopt;
    const auto params = numbers.params(t);
    wire.op = std::max(numbers.op(t.op), numbers.op(Op::none));
    if (params) std::ranges::copy(*params, wire.params.begin());
    // Some buffer types reserve extra memory for an operation's result.
    const Sources& sources = graph.sources(tensor);
    for (std::size_t s = 0; s < sources.size(); ++s) {
        if (!sources[s].valid()) continue;
        WireTensor source = bare(graph[sources[s]], numbers);
        if (source.type < 0) return std::nullopt;
        wire.sources[s] = static_cast<std::int32_t>(question.tensors.size());
        question.tensors.push_back(std::move(source));
    }
    question.nodes = {static_cast<std::uint32_t>(question.tensors.size())};
    question.tensors.push_back(std::move(wire));
    return question;
}

WireGraph placed_graph(const BoundGraph& graph, std::span<const TensorId> nodes, const Engine& engine,
                       const std::string& device) {
    Placing placing(graph, engine, device);
    for (const TensorId node : nodes) placing.add_node(node);
    if (nodes.size() > 1) placing.mark_outputs(graph.view().nodes());
    return placing.take();
}

namespace {

/// Collects a whole graph, sources first.
class Unplaced {
 public:
    Unplaced(const Graph& graph, const std::vector<DraftBuffer>& buffers, const Numbers& numbers)
        : graph_(graph), buffers_(buffers), numbers_(numbers), index_(graph.tensors.size(), kNoTensor) {}

    UnplacedGraph take() {
        for (const TensorId leaf : graph_.leafs) out_.question.leafs.push_back(index_of(leaf));
        for (const TensorId node : graph_.nodes) out_.question.graph.nodes.push_back(index_of(node));
        return std::move(out_);
    }

 private:
    std::uint32_t index_of(TensorId id) {
        std::int32_t& known = index_[id.index()];
        if (known == kNoTensor) {
            WireTensor wire = made(id);
            const auto own = static_cast<std::int32_t>(out_.tensors.size());
            // A conversion has itself as a source.
            for (std::size_t s = 0; s < kWireSources; ++s)
                if (graph_[id].src[s] == id) wire.sources[s] = own;
            index_[id.index()] = own;
            out_.question.graph.tensors.push_back(std::move(wire));
            out_.tensors.push_back(id);
        }
        return static_cast<std::uint32_t>(index_[id.index()]);
    }

    WireTensor made(TensorId id) {
        const Tensor& t = graph_[id];
        WireTensor wire = bare(t, numbers_);
        wire.op = numbers_.op(t.op);
        const auto params = numbers_.params(t);
        if (wire.type < 0 || wire.op < 0 || !params) {
            throw Error(ErrorKind::unsupported, msg::kEngineLacksOp(name_of(t.op), name_of(t.type)), t.name,
                        msg::kTryOtherEngine);
        }
        std::ranges::copy(*params, wire.params.begin());
        wire.flags = static_cast<std::int32_t>(t.flags);
        wire.name = cut_name(t.name);
        for (std::size_t s = 0; s < t.src.size(); ++s)
            if (t.src[s].valid() && t.src[s] != id)
                wire.sources[s] = static_cast<std::int32_t>(index_of(t.src[s]));
        if (t.is_view()) {
            wire.view_source = static_cast<std::int32_t>(index_of(t.view_src));
            wire.view_offset = static_cast<std::uint64_t>(t.view_offs);
        } else if (t.buffer.valid()) {
            const DraftBuffer& draft = buffers_[t.buffer.index()];
            wire.buffer_type = draft.type;
            wire.usage = draft.usage;
        }
        return wire;
    }

    const Graph& graph_;
    const std::vector<DraftBuffer>& buffers_;
    const Numbers& numbers_;
    std::vector<std::int32_t> index_;
    UnplacedGraph out_;
};

}  // namespace

UnplacedGraph unplaced_graph(const Graph& graph, const std::vector<DraftBuffer>& buffers,
                             const Numbers& numbers) {
    return Unplaced(graph, buffers, numbers).take();
}

}  // namespace splitscope::ggml
