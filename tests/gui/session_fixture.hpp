// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QTimer>

#include "engine/session/open_session.hpp"
#include "tests/gui/window_fixture.hpp"

namespace splitscope::ui {

/// A window whose session is edited, saved and left.
class SessionWindowTest : public WindowTest {
 protected:
    void edit_layers(int layers) {
        window().machine().layers().setValue(layers);
        settle();
    }
    void write_changes() {
        window().autosave().write_now();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window().autosave().job().running(); }, kPatienceMs));
    }
    QString unsaved_folder() const { return scratch_.filePath(QStringLiteral("unsaved")); }
    void change_layers(int layers) {
        Session changed = document().session();
        changed.model_options.gpu_layers = layers;
        document().edit(QStringLiteral("layers"), changed);
    }
    int layers_in(const QString& session) const {
        return *open_saved_session(session.toStdString()).session.model_options.gpu_layers.count();
    }
    /// Answers the next question of the window.
    static void answer(QMessageBox::StandardButton button, bool* asked = nullptr) {
        auto* timer = new QTimer(qApp);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, button, asked] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            timer->deleteLater();
            if (asked) *asked = true;
            box->button(button)->click();
        });
        timer->start(20);
    }
    /// Saves an edit in progress, such as a half-typed pattern.
    QString session_that_cannot_be_analysed() {
        open_sample();
        Session wrong = document().session();
        wrong.model_options.overrides = {{"ffn_(", "CPU", "--override-tensor"}};
        document().edit(QStringLiteral("a pattern that is not finished"), wrong);
        settle();
        const QString path = scratch_file(QStringLiteral("wrong.splitscope.json"));
        document().save_session(path.toStdString());
        return path;
    }
    SessionNotes some_notes() const {
        return {{{"result_output", "the end"}}, {{StopKind::cause, "3.upg", true}}};
    }
};

}  // namespace splitscope::ui
