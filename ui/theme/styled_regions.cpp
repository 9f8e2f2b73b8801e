// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/styled_regions.hpp"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>

namespace splitscope::ui {
namespace {

bool is_main(const QWidget* widget) {
    return qobject_cast<const QMainWindow*>(widget) != nullptr;
}

/// Widgets without a parent are windows to Qt while they are built.
bool is_shown_window(const QWidget& widget) {
    return widget.isWindow() && !is_main(&widget) && widget.testAttribute(Qt::WA_WState_ExplicitShowHide);
}

/// A bar, a dock, its tabs, or the centre.
bool is_part(const QWidget& widget) {
    return !widget.isWindow() && is_main(widget.parentWidget());
}

/// Docks behind tabs are visible to Qt, but outside the window.
bool is_in_sight(const QWidget& region) {
    if (region.isHidden()) return false;
    return region.isWindow() || region.parentWidget()->rect().intersects(region.geometry());
}

}  // namespace

StyledRegions::StyledRegions() {
    idle_.setSingleShot(true);
    idle_.setInterval(0);
    connect(&idle_, &QTimer::timeout, this, &StyledRegions::apply_next);
    qApp->installEventFilter(this);
}

void StyledRegions::set_sheet(const QString& sheet) {
    sheet_ = sheet;
    const QSet<QWidget*> known = regions_;
    for (QWidget* region : known) apply_or_wait(*region);
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (const QWidget* window : windows)
        if (is_main(window)) apply_to_new_parts(*window);
    for (QWidget* window : windows)
        if (is_shown_window(*window) && !is_inside_region(*window)) apply_or_wait(*window);
}

/// Its popups and menus have the sheet of a region.
bool StyledRegions::is_inside_region(const QWidget& widget) const {
    for (auto* each = const_cast<QWidget*>(&widget); each != nullptr; each = each->parentWidget())
        if (regions_.contains(each)) return true;
    return false;
}

void StyledRegions::apply(QWidget& region) {
    waiting_.remove(&region);
    region.setStyleSheet(sheet_);
    emit applied(&region);
}

void StyledRegions::apply_or_wait(QWidget& region) {
    if (!regions_.contains(&region)) {
        regions_.insert(&region);
        connect(&region, &QObject::destroyed, this, [this, gone = &region] {
            regions_.remove(gone);
            waiting_.remove(gone);
        });
    }
    if (is_in_sight(region)) {
        apply(region);
    } else {
        waiting_.insert(&region);
        idle_.start();
    }
}

void StyledRegions::apply_to_new_parts(const QWidget& main_window) {
    for (QObject* child : main_window.children()) {
        auto* part = qobject_cast<QWidget*>(child);
        if (part != nullptr && is_part(*part) && !regions_.contains(part)) apply_or_wait(*part);
    }
}

void StyledRegions::apply_next() {
    if (waiting_.isEmpty()) return;
    apply(**waiting_.constBegin());
    if (!waiting_.isEmpty()) idle_.start();
}

bool StyledRegions::eventFilter(QObject* watched, QEvent* event) {
    if (sheet_.isEmpty() || !watched->isWidgetType()) return false;
    auto& widget = static_cast<QWidget&>(*watched);
    switch (event->type()) {
        case QEvent::Polish:
        case QEvent::Show:
            if (waiting_.contains(&widget)) {
                apply_or_wait(widget);
            } else if (is_part(widget) || is_shown_window(widget)) {
                if (!is_inside_region(widget)) apply_or_wait(widget);
            }
            break;
        case QEvent::Move:
            if (waiting_.contains(&widget) && is_in_sight(widget)) apply(widget);
            break;
        default:
            break;
    }
    return false;
}

}  // namespace splitscope::ui
