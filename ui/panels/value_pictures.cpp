// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/value_pictures.hpp"

#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <optional>

#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

ValuePictures::ValuePictures(const Theme& theme) {
    map_ = new HeatMapView(theme);
    histogram_ = new Histogram(theme);
    auto* right = new QWidget;
    auto* pictures = new QVBoxLayout(right);
    pictures->setContentsMargins(6, 6, 6, 4);
    pictures->setSpacing(2);
    auto* map_name = muted_label(tr("Heat map of the slice"));
    map_name->setToolTip(tr(
        "Blue: negative, orange: positive; cells of large slices show the mean. Click to show the values"));
    pictures->addWidget(map_name);
    pictures->addWidget(map_, 3);
    pictures->addLayout(make_colour_scale());
    auto* histogram_name = muted_label(tr("Histogram"));
    histogram_name->setToolTip(tr("Of all values"));
    auto* histogram_row = new QHBoxLayout;
    histogram_row->addWidget(histogram_name, 1);
    pictures->addLayout(histogram_row);
    pictures->addWidget(histogram_, 2);
    logarithmic_ = new QCheckBox(tr("Logarithmic"));
    logarithmic_->setToolTip(tr("Logarithmic scale of the counts"));
    histogram_row->addWidget(logarithmic_);
    connect(logarithmic_, &QCheckBox::toggled, histogram_, &Histogram::set_logarithmic);
    setWidget(right);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(right->minimumSizeHint().width() + 12);
}

/// Input of the colour range; values beyond are clamped.
QLayout* ValuePictures::make_colour_scale() {
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    const auto field = [&](const QString& name, const QString& tip) {
        auto* made = new QLineEdit;
        made->setPlaceholderText(tr("auto"));
        made->setAccessibleName(name);
        made->setToolTip(tip);
        made->setValidator(new QDoubleValidator(made));
        row->addWidget(muted_label(name));
        row->addWidget(made, 1);
        return made;
    };
    low_ = field(tr("Colours"), tr("The value with the weakest colour, or the strongest negative one"));
    high_ = field(QStringLiteral("–"), tr("The value with the strongest colour"));
    high_->setAccessibleName(high_->toolTip());
    const auto apply = [this] {
        const auto value = [](const QLineEdit& field) {
            bool good = false;
            const float number = field.text().toFloat(&good);
            return good ? std::optional(number) : std::nullopt;
        };
        map_->set_range(value(*low_), value(*high_));
    };
    for (const QLineEdit* made : {low_, high_}) connect(made, &QLineEdit::textChanged, this, apply);
    return row;
}

}  // namespace splitscope::ui
