// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/execution/debugger.hpp"

namespace splitscope::ui {

/// A run that can be paused, stepped and inspected: of this program, or an attached program. Commands return
/// immediately; read() and write() block, and are for workers.
class Debuggee {
 public:
    Debuggee() = default;
    virtual ~Debuggee() = default;
    Debuggee(const Debuggee&) = delete;
    Debuggee& operator=(const Debuggee&) = delete;

    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual void step_node() = 0;
    virtual void step_split() = 0;
    virtual void run_to(const TensorIdentity& node) = 0;
    virtual TensorCapture read(const TensorIdentity& tensor, std::uint64_t most, const JobContext& job) = 0;
    /// Sets the values of a tensor to `bytes`, of which `count` from `first` on have changed.
    virtual void write(const TensorIdentity& tensor, std::span<const std::byte> bytes, std::size_t first,
                       std::size_t count, const JobContext& job) = 0;
};

}  // namespace splitscope::ui
