// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope::ui {

// What a device refuses, as edited text: names separated by commas.

QString joined_names(const std::vector<std::string>& names);
std::vector<std::string> names_in(const QString& text);

/// A device's refusals: "SOFT_MAX", or "MUL_MAT:iq1_m+bf16" for these types only.
struct RefusedOps {
    std::vector<std::string> always;
    std::vector<UnsupportedPair> with_types;
};

/// Element types, with the names that files use.
std::vector<std::string> refused_types_in(const QString& text);
QString refused_ops_text(const MachineBackend& backend);
RefusedOps refused_ops_in(const QString& text);

/// Names that are neither operations nor element types: kept without effect.
QStringList names_without_effect(const MachineBackend& backend);

}  // namespace splitscope::ui
