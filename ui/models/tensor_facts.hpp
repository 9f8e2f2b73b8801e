// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A statistic with five digits.
QString figure_text(double value);

/// Name, shape, state and statistics of a tensor, as markup. `warn` is the colour of NaN and infinite values.
QString tensor_facts(const Session& session, const TensorCapture& capture, const TensorStatistics& s,
                     const QColor& warn);

}  // namespace splitscope::ui
