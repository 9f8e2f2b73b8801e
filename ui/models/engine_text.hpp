// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringView>
#include <string_view>

namespace splitscope::ui {

/// A sentence of the engine in the language of the window: causes, evidence, rules, findings, what passes are
/// for, what jobs do, what errors say. The engine speaks English; what is not among its known sentences stays
/// as it is (names). Parts that are joined by "; " are looked at one by one.
QString engine_text(std::string_view text);

/// The known sentences, with %1, %2, … where the engine puts names and numbers. For tests.
int engine_sentence_count();
QString engine_sentence(int number);

}  // namespace splitscope::ui
