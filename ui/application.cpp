// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/application.hpp"

#include <QMetaMethod>
#include <exception>

#include "ui/jobs/job_channel.hpp"
#include "ui/plain_text.hpp"
#include "ui/spin_box_undo.hpp"
#include "ui/unbroken_switches.hpp"
#include "ui/wheel_guard.hpp"

namespace splitscope::ui {

Application::Application(int& argc, char** argv) : QApplication(argc, argv) {
    new PlainText(*this);
    new CopiedSwitches(*this);
    new WheelGuard(*this);
    new SpinBoxUndo(*this);
}

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception&) {
        if (!isSignalConnected(QMetaMethod::fromSignal(&Application::failed))) throw;
        emit failed(tr("The action failed: %1").arg(current_failure().text));
        return true;
    }
}

}  // namespace splitscope::ui
