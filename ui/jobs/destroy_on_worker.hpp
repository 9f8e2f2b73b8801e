// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace splitscope::ui {

/// Wraps an object so that a worker destroys it: freeing a hundred thousand nodes would block the UI. The
/// application waits for these workers on exit.
template <class T>
std::shared_ptr<T> destroy_on_worker(std::shared_ptr<T> owned) {
    T* object = owned.get();
    return std::shared_ptr<T>(object, [owned = std::move(owned)](T*) mutable {
        if (!QCoreApplication::instance()) return;
        QThreadPool::globalInstance()->start([last = std::move(owned)]() mutable { last.reset(); });
    });
}

}  // namespace splitscope::ui
