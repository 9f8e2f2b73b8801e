// SPDX-License-Identifier: MIT
#include "python/module/bind.hpp"

namespace splitscope::python {

py::str text(std::string_view text) {
    PyObject* object = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (object == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(object);
}

py::list texts(const std::vector<Message>& messages) {
    py::list out;
    for (const Message& message : messages) out.append(text(message));
    return out;
}

void check_signals() {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

JobContext job_for(bool any_memory) {
    return JobContext().with(any_memory ? MemoryBound::lifted : MemoryBound::enforced);
}

void bind_errors(py::module_& module) {
    static_cast<void>(module);
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(std::move(thrown));
        } catch (const Error& error) {
            const py::object type = py::module_::import("splitscope.errors").attr("Error");
            const py::object object = type(text(error.problem()), text(error.where()), text(error.remedy()),
                                           text(name_of(error.kind())));
            PyErr_SetObject(type.ptr(), object.ptr());
        }
    });
}

void Columns::put(const char* name, py::object column, const char* unit) {
    columns_[name] = std::move(column);
    if (*unit != '\0') units_[name] = unit;
}

void Columns::add(const char* name, std::vector<std::int64_t> values, const char* unit) {
    const auto rows = static_cast<py::ssize_t>(values.size());
    put(name, array_of(std::move(values), {rows}), unit);
}

void Columns::add(const char* name, std::vector<double> values, const char* unit) {
    const auto rows = static_cast<py::ssize_t>(values.size());
    put(name, array_of(std::move(values), {rows}), unit);
}

void Columns::add(const char* name, const std::vector<std::string>& values) {
    py::list list(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) list[i] = text(values[i]);
    const py::module_ numpy = py::module_::import("numpy");
    put(name, numpy.attr("array")(list, py::arg("dtype") = numpy.attr("str_")), "");
}

void Columns::add(const char* name, const std::vector<bool>& values) {
    py::array_t<bool> column(static_cast<py::ssize_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        column.mutable_at(static_cast<py::ssize_t>(i)) = values[i];
    put(name, std::move(column), "");
}

void Columns::add(const char* name, const std::vector<Shape>& values, const char* unit) {
    std::vector<std::int64_t> flat;
    flat.reserve(values.size() * kMaxDims);
    for (const Shape& shape : values) flat.insert(flat.end(), shape.begin(), shape.end());
    put(name, array_of(std::move(flat), {static_cast<py::ssize_t>(values.size()), kMaxDims}), unit);
}

py::array array_over(const py::dtype& type, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
                     const void* data, std::shared_ptr<const void> owner) {
    const py::capsule keeper(new std::shared_ptr<const void>(std::move(owner)), [](void* kept) {
        const std::unique_ptr<std::shared_ptr<const void>> released(
            static_cast<std::shared_ptr<const void>*>(kept));
    });
    py::array array = strides.empty() ? py::array(type, std::move(shape), data, keeper)
                                      : py::array(type, std::move(shape), std::move(strides), data, keeper);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

}  // namespace splitscope::python

PYBIND11_MODULE(_engine, module) {
    using namespace splitscope::python;
    module.doc() = "The engine of Splitscope; private to the package splitscope.";
    bind_errors(module);
    bind_values(module);
    bind_session(module);
    bind_analysis(module);
    bind_run(module);
    bind_attach(module);
}
