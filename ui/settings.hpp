// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <memory>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// What the program remembers of its user: recent files, theme, layout of the window. Values that cannot be
/// read are as if they were absent.
class Settings {
 public:
    /// An empty path: the user's own settings; a file: that one (tests).
    explicit Settings(const QString& file = {});

    QStringList recent_files() const;
    void add_recent_file(const QString& path);
    void clear_recent_files();

    ThemeMode theme() const;
    void set_theme(ThemeMode mode);

    QByteArray window_geometry() const;
    QByteArray window_state() const;
    void set_window(const QByteArray& geometry, const QByteArray& state);

    QString last_folder() const;
    void set_last_folder(const QString& folder);

 private:
    std::unique_ptr<QSettings> store_;
};

}  // namespace splitscope::ui
