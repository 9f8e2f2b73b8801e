// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// One step of the tour.
struct TourStop {
    QWidget* target;  ///< the widget to highlight; a child of the window
    QString title;
    QString text;
    std::function<void()> prepare;  ///< makes the target visible; may be empty
};

/// A tour of the window: highlights one part at a time and explains it. The highlighted part can be used; the
/// tour ends with Skip, Esc, a click elsewhere, or after the last step.
class Tour : public QWidget {
    Q_OBJECT
 public:
    /// Covers `window`; deletes itself at the end.
    Tour(QWidget& window, const Theme& theme, std::vector<TourStop> stops);

    std::size_t at() const { return at_; }
    QPushButton& next() { return *next_; }
    QPushButton& skip() { return *skip_; }
    QString title() const { return title_->text(); }

 signals:
    void ended();

 protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void show_stop();
    void leave();
    bool leave_on_escape(QEvent& event);
    QRect lit() const;
    void place();

    QWidget& window_;
    const Theme& theme_;
    std::vector<TourStop> stops_;
    std::size_t at_ = 0;
    QFrame* card_;
    QLabel* title_;
    QLabel* text_;
    QLabel* number_;
    QPushButton* next_;
    QPushButton* skip_;
};

}  // namespace splitscope::ui
