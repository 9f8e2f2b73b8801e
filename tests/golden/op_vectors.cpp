// SPDX-License-Identifier: MIT
#include "tests/golden/op_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/interface/tensor_access.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::golden {
namespace {

using nlohmann::json;

Tensor tensor_from(const json& j, std::string name) {
    Tensor t;
    t.name = std::move(name);
    t.type = element_type_named(j.at("type").get<std::string>()).value();
    t.ne = j.at("ne").get<Shape>();
    t.nb = j.at("nb").get<Shape>();
    return t;
}

std::vector<std::byte> bytes_of(const json& j, const std::vector<std::byte>& file) {
    const auto offset = j.at("offset").get<std::ptrdiff_t>();
    const auto size = j.at("nbytes").get<std::ptrdiff_t>();
    return {file.begin() + offset, file.begin() + offset + size};
}

OpVector vector_from(const json& j, const std::vector<std::byte>& file) {
    OpVector v;
    v.name = j.at("name");
    Tensor dst = tensor_from(j.at("dst"), "result");
    dst.op = op_named(j.at("op").get<std::string>()).value();
    const auto params = j.value("op_params", std::vector<std::int32_t>{});
    std::copy(params.begin(), params.end(), dst.op_params.begin());
    for (const json& source : j.at("src")) {
        const std::size_t slot = static_cast<std::size_t>(&source - &j.at("src")[0]);
        if (source.is_null()) continue;
        dst.src[slot] = TensorId(v.graph.tensors.size());
        v.graph.tensors.push_back(tensor_from(source, fmt::format("source {}", slot)));
        v.data.push_back(bytes_of(source, file));
    }
    if (const auto inside = j.find("dst_in_src"); inside != j.end()) {
        dst.view_src = dst.src[inside->at("src").get<std::size_t>()];
        dst.view_offs = inside->at("offset");
    }
    v.expected = bytes_of(j.at("dst"), file);
    v.result = TensorId(v.graph.tensors.size());
    v.graph.tensors.push_back(dst);
    v.graph.nodes.push_back(v.result);
    v.nmse_max = j.at("nmse_max");
    v.row_sets = dst.op == Op::top_k || j.value("compare", "") == "row sets";
    return v;
}

/// All elements in logical order.
std::vector<double> values_of(const Tensor& t, const std::byte* data) {
    std::vector<double> values;
    const auto& traits = traits_of(t.type);
    std::vector<float> block(static_cast<std::size_t>(traits.block_elements));
    for (std::int64_t i3 = 0; i3 < t.ne[3]; ++i3) {
        for (std::int64_t i2 = 0; i2 < t.ne[2]; ++i2) {
            for (std::int64_t i1 = 0; i1 < t.ne[1]; ++i1) {
                for (std::int64_t b = 0; b < t.ne[0] / traits.block_elements; ++b) {
                    const std::byte* at = data + b * t.nb[0] + i1 * t.nb[1] + i2 * t.nb[2] + i3 * t.nb[3];
                    if (t.type == ElementType::i64) {
                        std::int64_t number = 0;
                        std::memcpy(&number, at, 8);
                        values.push_back(static_cast<double>(number));
                    } else if (t.type == ElementType::i32) {
                        std::int32_t number = 0;
                        std::memcpy(&number, at, 4);
                        values.push_back(number);
                    } else {
                        dequantise(t.type, {at, static_cast<std::size_t>(traits.block_bytes)}, block);
                        values.insert(values.end(), block.begin(), block.end());
                    }
                }
            }
        }
    }
    return values;
}

/// NMSE of y against the recorded x; infinite when their infinite elements differ.
double nmse(const std::vector<double>& y, const std::vector<double>& x) {
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
            const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]));
            if (!same) return std::numeric_limits<double>::infinity();
            continue;
        }
        error += (x[i] - y[i]) * (x[i] - y[i]);
        power += x[i] * x[i];
    }
    if (error == 0) return 0;
    return power > 0 ? error / power : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

std::vector<std::filesystem::path> op_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<OpVector> read_op_vectors(const std::filesystem::path& file) {
    std::ifstream text(file);
    const json cases = json::parse(text);
    std::vector<OpVector> vectors;
    if (!cases.is_array()) return vectors;
    const auto bytes = read_bytes(std::filesystem::path(file).replace_extension(".bin"));
    vectors.reserve(cases.size());
    for (const json& one : cases) vectors.push_back(vector_from(one, bytes));
    return vectors;
}

std::string refusal(const OpVector& v, const Backend& backend) {
    const GraphView view(v.graph);
    const OpQuery query{view, v.result};
    const OpSupport support = backend.supports_op(query);
    return support ? std::string() : english(describe(support, query));
}

std::string types_of(const OpVector& v) {
    std::string text;
    for (const TensorId source : v.graph[v.result].src) {
        if (source.valid())
            text += fmt::format("{}{}", text.empty() ? "" : ",", name_of(v.graph[source].type));
    }
    return fmt::format("{} -> {}", text, name_of(v.graph[v.result].type));
}

std::vector<std::byte> computed(OpVector& v, Backend& backend) {
    std::vector<TensorPlace> places(v.graph.tensors.size());
    const BoundGraph bound(GraphView(v.graph), places);
    std::vector<std::unique_ptr<Buffer>> buffers;
    for (std::size_t i = 0; i < v.graph.tensors.size(); ++i) {
        const TensorId id(i);
        if (v.graph[id].is_view()) {
            view_init({bound, id});
            continue;
        }
        const std::size_t size = i < v.data.size() ? v.data[i].size() : byte_size(v.graph[id]);
        buffers.push_back(backend.default_buffer_type().allocate(size + 64));
        buffers.back()->clear(std::byte{0});
        places[i] = {buffers.back().get(), 0, true};
        if (i < v.data.size()) buffers.back()->write(0, v.data[i]);
    }
    const Status status = backend.compute(bound, v.graph.nodes);
    if (status != Status::success)
        throw Error(ErrorKind::internal, Message::verbatim(std::string(name_of(status))), v.name);
    std::vector<std::byte> bytes(v.expected.size());
    bound.buffer_of(v.result)->read(bound.offset_of(v.result), bytes);
    return bytes;
}

std::string mismatch(OpVector& v, Backend& backend) {
    try {
        if (const std::string refused = refusal(v, backend); !refused.empty()) return refused;
        const Tensor& t = v.graph[v.result];
        std::vector<double> ours = values_of(t, computed(v, backend).data());
        std::vector<double> expected = values_of(t, v.expected.data());
        if (v.row_sets) {
            for (std::size_t row = 0; row < expected.size(); row += static_cast<std::size_t>(t.ne[0])) {
                const auto first = static_cast<std::ptrdiff_t>(row);
                std::sort(ours.begin() + first, ours.begin() + first + t.ne[0]);
                std::sort(expected.begin() + first, expected.begin() + first + t.ne[0]);
            }
        }
        const double error = nmse(ours, expected);
        return error <= v.nmse_max ? "" : fmt::format("NMSE {:.3g} exceeds {:.3g}", error, v.nmse_max);
    } catch (const std::exception& e) {
        return e.what();
    }
}

}  // namespace splitscope::golden
