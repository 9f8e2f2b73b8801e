// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/application.hpp"

#include <QMetaMethod>
#include <exception>
#include <new>

#include "engine/support/error.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/error_text.hpp"

namespace splitscope::ui {
namespace {

QString text_of(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) return error_text(*error);
    if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return JobChannel::tr("Not enough memory");
    return QString::fromUtf8(failure.what());
}

}  // namespace

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& failure) {
        if (!isSignalConnected(QMetaMethod::fromSignal(&Application::failed))) throw;
        emit failed(tr("That could not be done: %1").arg(text_of(failure)));
        return true;
    }
}

}  // namespace splitscope::ui
