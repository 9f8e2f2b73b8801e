// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>

namespace splitscope::ui {

/// A field for an amount of memory, in GiB: shows less than one in MiB, and reads "8", "8 GiB" and "512 MiB".
class MemoryBox : public QDoubleSpinBox {
    Q_OBJECT
 public:
    /// `none` is shown instead of 0.
    explicit MemoryBox(const QString& none);

    QString textFromValue(double gibibytes) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    /// Steps of 1 GiB; below 1 GiB, doubles or halves.
    void stepBy(int steps) override;
};

}  // namespace splitscope::ui
