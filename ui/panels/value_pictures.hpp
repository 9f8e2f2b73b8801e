// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QScrollArea>

#include "ui/charts/value_charts.hpp"

namespace splitscope::ui {

/// Heat map, colour scale and histogram of a tensor's values. A low window scrolls them instead of growing.
class ValuePictures : public QScrollArea {
    Q_OBJECT
 public:
    explicit ValuePictures(const Theme& theme);

    HeatMapView& map() { return *map_; }
    Histogram& histogram() { return *histogram_; }
    QLineEdit& scale_low() { return *low_; }
    QLineEdit& scale_high() { return *high_; }
    QCheckBox& logarithmic() { return *logarithmic_; }

 private:
    QLayout* make_colour_scale();

    HeatMapView* map_;
    Histogram* histogram_;
    QCheckBox* logarithmic_;
    QLineEdit* low_;
    QLineEdit* high_;
};

}  // namespace splitscope::ui
