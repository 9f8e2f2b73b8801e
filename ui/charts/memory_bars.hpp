// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "engine/session/summary.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Weights, caches and compute memory of each backend as stacked bars, against the memory of its device;
/// excess is framed in red. Devices of unknown memory share one scale.
class MemoryBars : public QWidget {
    Q_OBJECT
 public:
    explicit MemoryBars(const Theme& theme, QWidget* parent = nullptr);
    void set_summary(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const Summary> summary);
    QSize sizeHint() const override;
    static QString used_text(std::uint64_t used, std::uint64_t capacity);

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    const Theme& theme_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Summary> summary_;
};

}  // namespace splitscope::ui
