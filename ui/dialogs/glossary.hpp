// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

namespace splitscope::ui {

/// A word of the field and what it means.
struct Term {
    QString name;
    QString meaning;
};
/// In the order of the alphabet.
std::vector<Term> glossary();

/// The field's terms in one page that can be searched; at first only those that `about` occurs in.
class GlossaryDialog : public QDialog {
    Q_OBJECT
 public:
    explicit GlossaryDialog(const QString& about, QWidget* parent = nullptr);
};

}  // namespace splitscope::ui
