// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include <gtest/gtest.h>

#include "backends/all_backends.hpp"
#include "engine/session/resources.hpp"
#include "tests/gui/panels.hpp"
#include "ui/document/autosave.hpp"
#include "ui/panels/difference_bar.hpp"
#include "ui/panels/machine_bar.hpp"
#include "ui/panels/recovery_bar.hpp"
#include "ui/panels/summary_bar.hpp"

namespace splitscope::ui {

inline constexpr int kPatienceMs = 30000;

/// A window with separate settings.
class WindowTest : public ::testing::Test {
 protected:
    void SetUp() override {
        theme_.set_mode(ThemeMode::dark);
        make_window();
        window_->resize(1366, 768);
        window_->show();
    }

    /// The backends of the window.
    virtual BackendKinds kinds() const { return all_backends(); }

    MainWindow& window() { return *window_; }
    Document& document() { return *document_; }
    const Analysis& analysis() { return *document().analysis(); }

    void close_window() {
        window_.reset();
        document_.reset();
    }
    void make_window() {
        close_window();
        document_ = std::make_unique<Document>(kinds());
        window_ = std::make_unique<MainWindow>(*document_, theme_, settings_);
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                return !document().open_job().running() && !document().analyse_job().running() &&
                       !graph_panel(window()).layout_job().running() && theme_.is_applied();
            },
            kPatienceMs));
    }
    void wait_for_export() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window().exporting(); }, kPatienceMs));
    }
    void open_sample() {
        window().open_sample();
        settle();
        ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    }
    /// A GPU without SOFT_MAX: its nodes fall back.
    void take_soft_max_away() {
        Session changed = document().session();
        changed.machine.backends[0].unsupported_ops = {"SOFT_MAX"};
        document().edit(QStringLiteral("take SOFT_MAX away"), changed);
        settle();
    }
    QString scratch_file(const QString& name) const { return scratch_.filePath(name); }

    QTemporaryDir scratch_;
    Theme theme_;
    Settings settings_{scratch_.filePath(QStringLiteral("settings.ini"))};
    std::unique_ptr<Document> document_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace splitscope::ui
