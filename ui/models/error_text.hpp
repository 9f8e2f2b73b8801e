// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/support/error.hpp"

namespace splitscope::ui {

/// The complete error in the UI language, on one line: "WHERE: WHAT — REMEDY".
QString error_text(const Error& error);
/// Without the remedy.
QString problem_text(const Error& error);
/// Without the place, if that is visible otherwise.
QString advice_text(const Error& error);
/// The remedy; may be empty.
QString remedy_text(const Error& error);

}  // namespace splitscope::ui
