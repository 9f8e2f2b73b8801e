// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.hpp"

namespace splitscope::ui {
namespace {

constexpr int kMostRecent = 10;

}  // namespace

Settings::Settings(const QString& file)
    : store_(file.isEmpty()
                 ? std::make_unique<QSettings>(QStringLiteral("Splitscope"), QStringLiteral("Splitscope"))
                 : std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

QStringList Settings::recent_files() const {
    return store_->value(QStringLiteral("recent")).toStringList();
}

void Settings::add_recent_file(const QString& path) {
    QStringList files = recent_files();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > kMostRecent) files.removeLast();
    store_->setValue(QStringLiteral("recent"), files);
}

void Settings::clear_recent_files() {
    store_->remove(QStringLiteral("recent"));
}

ThemeMode Settings::theme() const {
    const QString name = store_->value(QStringLiteral("theme")).toString();
    if (name == QStringLiteral("dark")) return ThemeMode::dark;
    return name == QStringLiteral("light") ? ThemeMode::light : ThemeMode::system;
}

void Settings::set_theme(ThemeMode mode) {
    store_->setValue(QStringLiteral("theme"), mode == ThemeMode::dark    ? QStringLiteral("dark")
                                              : mode == ThemeMode::light ? QStringLiteral("light")
                                                                         : QStringLiteral("system"));
}

QByteArray Settings::window_geometry() const {
    return store_->value(QStringLiteral("window/geometry")).toByteArray();
}
QByteArray Settings::window_state() const {
    return store_->value(QStringLiteral("window/state")).toByteArray();
}

void Settings::set_window(const QByteArray& geometry, const QByteArray& state) {
    store_->setValue(QStringLiteral("window/geometry"), geometry);
    store_->setValue(QStringLiteral("window/state"), state);
}

QString Settings::last_folder() const {
    return store_->value(QStringLiteral("folder")).toString();
}
void Settings::set_last_folder(const QString& folder) {
    store_->setValue(QStringLiteral("folder"), folder);
}

}  // namespace splitscope::ui
