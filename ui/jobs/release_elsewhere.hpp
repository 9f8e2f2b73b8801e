// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace splitscope::ui {

/// The same object, which a worker destroys when its last owner lets go: taking a hundred thousand nodes
/// apart would hold up the window. The application waits for such workers before it ends.
template <class T>
std::shared_ptr<T> release_elsewhere(std::shared_ptr<T> owned) {
    T* object = owned.get();
    return std::shared_ptr<T>(object, [owned = std::move(owned)](T*) mutable {
        if (!QCoreApplication::instance()) return;
        QThreadPool::globalInstance()->start([last = std::move(owned)]() mutable { last.reset(); });
    });
}

}  // namespace splitscope::ui
