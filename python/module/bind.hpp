// SPDX-License-Identifier: MIT
// Parts of the private module splitscope._engine; the package around it (python/splitscope) has the
// documentation.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "engine/library/caller_thread.hpp"
#include "splitscope/splitscope.hpp"

namespace splitscope::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_session(py::module_& module);
void bind_analysis(py::module_& module);
void bind_values(py::module_& module);
void bind_run(py::module_& module);
void bind_attach(py::module_& module);

/// File names may not be UTF-8; invalid bytes are replaced.
py::str text(std::string_view text);
template <std::same_as<Message> T>
py::str text(const T& message) {
    return text(std::string_view(english(message)));
}
py::list texts(const std::vector<Message>& messages);
/// None if there is no value.
template <class T>
py::object or_none(const std::optional<T>& value) {
    return value ? py::cast(*value) : py::none();
}
/// Names of StopReason and TensorState, by value.
inline constexpr std::array<const char*, 4> kStopReasons = {"pause", "breakpoint", "step", "run-to"};
inline constexpr std::array<const char*, 5> kTensorStates = {"computed", "not-computed", "reused",
                                                             "no-memory", "repacked"};

/// The backend's name; empty if there is none.
inline std::string backend_of(const Schedule& schedule, BackendId backend) {
    return backend.valid() ? schedule.machine->backends[backend.index()].name : std::string();
}
/// For estimates, in which 0 means "unknown".
inline py::object known(double figure) {
    return figure > 0 ? py::cast(figure) : py::none();
}

/// Raises exceptions of signal handlers, such as KeyboardInterrupt. Does not require the GIL.
void check_signals();

/// A job with or without a memory bound for files.
JobContext job_for(bool any_memory);

/// Runs work on a separate thread without the GIL; interrupts stop it.
template <class Work>
auto interruptible(Work work, const JobContext& outer = {}) {
    std::optional<decltype(work(outer))> result;
    {
        const py::gil_scoped_release release;
        CallerThread().run(
            outer, [&](const JobContext& job) { result.emplace(work(job)); }, check_signals);
    }
    return std::move(*result);
}

/// Named columns of equal length, each with its unit ("" if none).
class Columns {
 public:
    void add(const char* name, std::vector<std::int64_t> values, const char* unit = "");
    void add(const char* name, std::vector<double> values, const char* unit = "");
    void add(const char* name, const std::vector<std::string>& values);
    void add(const char* name, const std::vector<bool>& values);
    /// Rows of four values.
    void add(const char* name, const std::vector<Shape>& values, const char* unit);
    py::object take() { return py::make_tuple(columns_, units_); }

 private:
    void put(const char* name, py::object column, const char* unit);

    py::dict columns_;
    py::dict units_;
};

/// An array over memory owned by `owner`, without a copy.
py::array array_over(const py::dtype& type, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
                     const void* data, std::shared_ptr<const void> owner);

/// An array that owns a vector's values.
template <class T>
py::array array_of(std::vector<T> values, std::vector<py::ssize_t> shape) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    const void* data = owner->data();
    py::array array = array_over(py::dtype::of<T>(), std::move(shape), {}, data, owner);
    py::detail::array_proxy(array.ptr())->flags |= py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

/// A tensor with its bytes.
struct TensorValues {
    Tensor tensor;
    std::string identity;
    std::string backend;  ///< empty = not known
    std::string state;    ///< how far the values can be trusted
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

TensorValues weight_of(const Session& session, const std::string& name);

py::dict plan_dict(const ModelPlan& plan);
py::dict suggestion_dict(const Suggestion& suggestion);
py::list finding_list(const std::vector<Finding>& findings);

/// `session` with changed options, by member name of ModelOptions.
Session with_options(Session session, const py::dict& changes);
py::dict options_of(const Session& session);

py::object table_of(const Analysis& analysis, const std::string& name);
py::object timeline_of(const Analysis& analysis, const Execution& execution);

}  // namespace splitscope::python
