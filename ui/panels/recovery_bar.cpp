// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/recovery_bar.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <utility>

namespace splitscope::ui {

RecoveryBar::RecoveryBar(Document& document, Autosave& autosave, QWidget* parent)
    : QFrame(parent), autosave_(autosave) {
    setProperty("role", "banner");
    text_ = new QLabel;
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("Unsaved changes"));
    restore_ = new QPushButton(tr("Restore"));
    restore_->setProperty("primary", true);
    discard_ = new QPushButton(tr("Discard"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 5, 8, 5);
    row->addWidget(text_, 1);
    row->addWidget(restore_);
    row->addWidget(discard_);
    connect(restore_, &QPushButton::clicked, this, [this] {
        if (found_.empty()) return;
        const QString file = found_.front().file;  // found_ may change during the dialog
        emit restore_requested(file);
    });
    connect(discard_, &QPushButton::clicked, this, [this] {
        if (found_.empty()) return;
        Autosave::discard(found_.front().file);
        found_.erase(found_.begin());
        show_next();
    });
    connect(&document, &Document::recovered, this, &RecoveryBar::take_restored);
    connect(&document, &Document::not_recovered, this, [this](const QString& reason) {
        text_->setText(tr("The changes could not be restored: %1").arg(reason));
    });
    connect(&autosave, &Autosave::saved, this, &RecoveryBar::discard_restored);
    connect(&document, &Document::modified_changed, this, [this](bool modified) {
        if (!modified) discard_restored();
    });
    hide();
}

void RecoveryBar::take_restored(const QString& file) {
    std::erase_if(found_, [&file](const Autosave::Found& found) { return found.file == file; });
    restored_ = file;
    show_next();
    // This instance has taken over the changes.
    autosave_.write_now();
}

void RecoveryBar::discard_restored() {
    if (!restored_.isEmpty()) Autosave::discard(std::exchange(restored_, {}));
}

void RecoveryBar::look() {
    found_ = autosave_.find_leftovers();
    show_next();
}

void RecoveryBar::show_next() {
    setVisible(!found_.empty());
    if (found_.empty()) return;
    const Autosave::Found& found = found_.front();
    text_->setText(tr("Splitscope ended unexpectedly. Changes to %1 from %2 can be restored.")
                       .arg(found.title.isEmpty() ? tr("a session") : found.title,
                            QLocale().toString(found.when, QLocale::ShortFormat)));
}

}  // namespace splitscope::ui
