// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/support/error.hpp"

namespace splitscope::ui {

/// What went wrong, in the language of the windows and on one line: "WHERE: WHAT — REMEDY".
QString error_text(const Error& error);
/// The same without the remedy.
QString problem_text(const Error& error);
/// The same without the place, for where that can be seen.
QString advice_text(const Error& error);
/// What the user can do about it; may be empty.
QString remedy_text(const Error& error);

}  // namespace splitscope::ui
