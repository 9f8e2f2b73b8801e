// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace splitscope::ui {

/// A sentence of the engine in the language of the window: causes, evidence, rules, findings, remarks on what
/// was opened, what passes are for, what errors say. The engine speaks English; what is not wholly made of
/// its known sentences stays as it is (names).
QString engine_text(std::string_view text);

/// The title of a device preset, or where its figures come from.
QString preset_text(std::string_view text);

/// What a job does. What a job is at, like the name of a tensor, stays as it is.
QString doing_text(std::string_view text);

/// All known sentences, with %1, %2, … where the engine puts names and numbers. For tests.
QStringList engine_sentences();

}  // namespace splitscope::ui
