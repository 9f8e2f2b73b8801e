// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "ui/panels/panel.hpp"
#include "ui/panels/pass_scrubber.hpp"

namespace splitscope::ui {

/// Steps through the scheduler's decisions: buttons, scrubber, and the last decision.
class StepperPanel : public QWidget {
    Q_OBJECT
 public:
    explicit StepperPanel(const PanelContext& context);

    /// Step commands with buttons, and decision breakpoints.
    void add_actions(const PanelContext& context);
    /// Shows only scrubber and buttons; the rest moves to tool tips.
    void set_folded(bool folded);
    bool is_folded() const { return folded_; }
    bool playing() const { return timer_.isActive(); }
    /// Restarts from the beginning if at the end.
    void toggle_play();

    PassScrubber& scrubber() { return *scrubber_; }
    /// Adds a decision breakpoint, or removes it if it exists.
    void toggle_stop(const DecisionStop& stop);
    /// Toggles "Stop when the selected tensor is assigned".
    void toggle_stop_on_selected();
    /// The breakpoint menu, with current contents.
    QMenu& stop_menu();
    QString text() const { return decision_->text(); }

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void show_schedule();
    void show_position();
    void show_moves(std::size_t before, std::size_t after);
    void show_decision(const Decision& d);
    void show_playing();
    void stop_playing();
    void play_on();
    void fill_stops();
    void show_stops();
    bool has_stop(const DecisionStop& stop) const;

    Document& document_;
    PassScrubber* scrubber_;
    QWidget* buttons_;
    QLabel* position_;
    QLabel* decision_;
    QToolButton* stops_;
    QMenu* menu_;
    QAction* play_ = nullptr;
    QHBoxLayout* top_;
    QHBoxLayout* bottom_;
    bool folded_ = false;
    ActionRegistry& actions_;
    QTimer timer_;
    std::size_t step_ = 1;
};

}  // namespace splitscope::ui
