// SPDX-License-Identifier: MIT
#include "engine/formats/gguf.hpp"
#include "engine/tensor/shape.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

/// The NumPy type for access in place; empty for blocks and bfloat16.
std::optional<py::dtype> dtype_of(ElementType type) {
    switch (type) {
        case ElementType::f32:
            return py::dtype("<f4");
        case ElementType::f16:
            return py::dtype("<f2");
        case ElementType::f64:
            return py::dtype("<f8");
        case ElementType::i8:
            return py::dtype("<i1");
        case ElementType::i16:
            return py::dtype("<i2");
        case ElementType::i32:
            return py::dtype("<i4");
        case ElementType::i64:
            return py::dtype("<i8");
        default:
            return std::nullopt;
    }
}

/// Number of relevant dimensions: up to the last one that is not 1.
std::size_t dimensions_of(const Tensor& tensor) {
    std::size_t used = kMaxDims;
    while (used > 1 && tensor.ne[used - 1] == 1) --used;
    return used;
}

/// NumPy's innermost dimension is the last.
std::vector<py::ssize_t> reversed(const Shape& shape, std::size_t dimensions) {
    return {shape.rend() - static_cast<std::ptrdiff_t>(dimensions), shape.rend()};
}

py::tuple shape_of(const TensorValues& values) {
    return py::tuple(py::cast(reversed(values.tensor.ne, dimensions_of(values.tensor))));
}

/// A view without a copy.
py::object array_in_place(const TensorValues& values) {
    const auto type = dtype_of(values.tensor.type);
    if (!type) return py::none();
    const std::size_t dimensions = dimensions_of(values.tensor);
    const auto reach = byte_reach(values.tensor);
    if (!reach || static_cast<std::uint64_t>(*reach) > values.bytes.size()) return py::none();
    return array_over(*type, reversed(values.tensor.ne, dimensions), reversed(values.tensor.nb, dimensions),
                      values.bytes.data(), values.owner);
}

py::array raw_bytes(const TensorValues& values) {
    return array_over(py::dtype("u1"), {static_cast<py::ssize_t>(values.bytes.size())}, {},
                      values.bytes.data(), values.owner);
}

/// A float32 copy, dequantised if necessary.
py::array decoded(const TensorValues& values) {
    const Tensor& tensor = values.tensor;
    std::vector<float> all;
    {
        const py::gil_scoped_release release;
        all.reserve(static_cast<std::size_t>(element_count(tensor)));
        for (std::int64_t row = 0; row < row_count(tensor) && !is_empty(tensor); ++row) {
            const std::vector<float> one = row_values(tensor, values.bytes, row, 0, tensor.ne[0]);
            all.insert(all.end(), one.begin(), one.end());
        }
    }
    return array_of(std::move(all), reversed(tensor.ne, dimensions_of(tensor)));
}

py::dict statistics_of(const TensorValues& values) {
    const TensorStatistics found = interruptible(
        [&](const JobContext& job) { return tensor_statistics(values.tensor, values.bytes, job); });
    py::dict out;
    out["count"] = found.count;
    out["nan"] = found.nan;
    out["infinite"] = found.infinite;
    out["zeros"] = found.zeros;
    out["min"] = found.min;
    out["max"] = found.max;
    out["mean"] = found.mean;
    out["deviation"] = found.deviation;
    out["histogram"] =
        py::array_t<std::uint64_t>(static_cast<py::ssize_t>(found.bins.size()), found.bins.data());
    return out;
}

}  // namespace

TensorValues weight_of(const Session& session, const std::string& name) {
    if (!session.file->model) throw py::key_error(name);
    const GgufFile& file = session.file->model->file();
    const auto index = file.find_tensor(name);
    if (!index) throw py::key_error(name);
    const GgufTensor& described = file.tensors()[*index];
    TensorValues values;
    values.tensor.name = described.name;
    values.tensor.type = described.type;
    values.tensor.ne = described.ne;
    values.tensor.nb = contiguous_strides(described.type, described.ne);
    values.identity = described.name;
    values.bytes = file.data(*index);
    values.state = values.bytes.empty() && !is_empty(values.tensor) ? "no-memory" : "computed";
    values.owner = session.file;
    return values;
}

void bind_values(py::module_& module) {
    py::class_<TensorValues>(module, "TensorValues")
        .def_property_readonly("name", [](const TensorValues& v) { return text(v.tensor.name); })
        .def_property_readonly("identity", [](const TensorValues& v) { return text(v.identity); })
        .def_property_readonly("backend", [](const TensorValues& v) { return text(v.backend); })
        .def_property_readonly("state", [](const TensorValues& v) { return text(v.state); })
        .def_property_readonly("op", [](const TensorValues& v) { return text(name_of(v.tensor.op)); })
        .def_property_readonly("type", [](const TensorValues& v) { return text(name_of(v.tensor.type)); })
        .def_property_readonly("shape", shape_of)
        .def_property_readonly("nbytes", [](const TensorValues& v) { return v.bytes.size(); })
        .def("array", array_in_place)
        .def("raw", raw_bytes)
        .def("decoded", decoded)
        .def("statistics", statistics_of);
}

}  // namespace splitscope::python
