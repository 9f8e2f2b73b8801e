// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

namespace splitscope::ui {

/// A glossary entry.
struct Term {
    QString name;
    QString meaning;
    QString english;  ///< the name in ggml and its documentation
};
/// Sorted by name.
std::vector<Term> glossary();

/// A searchable page of terms; initially filtered by `about`.
class GlossaryDialog : public QDialog {
    Q_OBJECT
 public:
    explicit GlossaryDialog(const QString& about, QWidget* parent = nullptr);
};

}  // namespace splitscope::ui
