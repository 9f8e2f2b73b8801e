// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/registry.hpp"

namespace splitscope {

/// The CPU as a kind of backend with one device (backend-api.md §7.2). Extra functions: "set_n_threads" is a
/// std::function<void(Backend&, int)>, "set_abort_callback" a std::function<void(Backend&,
/// std::function<bool()>)>; both throw Error(state) for other backends.
std::shared_ptr<BackendKind> make_cpu_kind();

}  // namespace splitscope
