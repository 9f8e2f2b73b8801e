// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

/// A point in a backend's queue (backend-api.md §6). Made by Device::new_event().
class Event {
 public:
    Event() = default;
    virtual ~Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    /// The host waits until the last recording has passed; returns at once if never recorded.
    virtual void synchronize() = 0;
};

}  // namespace splitscope
