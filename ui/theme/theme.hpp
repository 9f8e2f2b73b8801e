// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QIcon>
#include <QObject>
#include <QString>

#include "ui/theme/colours.hpp"
#include "ui/theme/styled_regions.hpp"

namespace splitscope::ui {

enum class ThemeMode { system, dark, light };

/// The theme: one object per application, passed to everything that draws.
class Theme : public QObject {
    Q_OBJECT
 public:
    explicit Theme(QObject* parent = nullptr);

    const Colours& colours() const { return colours_; }
    ThemeMode mode() const { return mode_; }
    /// Applies palette and style sheet to the application.
    void set_mode(ThemeMode mode);
    /// Whether all docks have the style sheet, including those out of sight.
    bool is_applied() const { return regions_.finished(); }

    /// An icon of resources/icons in theme colours.
    QIcon icon(const QString& name) const;
    QColor backend(BackendId id, std::size_t backend_count) const {
        return colours_.backend(id, backend_count);
    }
    /// A coloured square; icons are shared, see WindowStyle.
    QIcon swatch(BackendId id, std::size_t backend_count) const;

 signals:
    void changed();
    /// A dock, bar or window has a new style sheet, which resets margins and sizes.
    void applied(QWidget* region);

 private:
    bool system_is_dark_;
    ThemeMode mode_ = ThemeMode::system;
    bool has_style_ = false;
    Colours colours_;
    StyledRegions regions_;
    mutable QHash<QRgb, QIcon> swatches_;
};

}  // namespace splitscope::ui
