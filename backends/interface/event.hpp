// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

/// A point in a backend's queue (backend-api.md §6). Created by Device::new_event().
class Event {
 public:
    Event() = default;
    virtual ~Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    /// Blocks the host until the last recorded point has passed; returns immediately if never recorded.
    virtual void synchronize() = 0;
};

}  // namespace splitscope
