// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QSpinBox>

#include "ui/settings.hpp"

namespace splitscope::ui {

/// The settings; changes take effect immediately, without confirmation.
class SettingsDialog : public QDialog {
    Q_OBJECT
 public:
    SettingsDialog(Settings& settings, Theme& theme, QWidget* parent = nullptr);

    QComboBox& theme() { return *theme_; }
    QComboBox& language() { return *language_; }
    QComboBox& generation() { return *generation_; }
    QComboBox& start() { return *start_; }
    QCheckBox& graphviz() { return *graphviz_; }
    QCheckBox& minimap() { return *minimap_; }
    QCheckBox& ask() { return *ask_; }
    QCheckBox& autosave() { return *autosave_; }

 signals:
    /// A setting other than the theme has changed.
    void changed();

 private:
    void store();

    Settings& settings_;
    Theme& app_theme_;
    QComboBox* theme_;
    QComboBox* language_;
    QComboBox* generation_;
    QComboBox* start_;
    QCheckBox* graphviz_;
    QSpinBox* seconds_;
    QCheckBox* minimap_;
    QCheckBox* ask_;
    QCheckBox* autosave_;
};

}  // namespace splitscope::ui
