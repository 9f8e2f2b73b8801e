// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kind_values_menu.hpp"

#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

KindValuesMenu::KindValuesMenu(Document& document, QWidget* parent) : QMenu(parent), document_(document) {
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &KindValuesMenu::fill);
}

bool KindValuesMenu::is_needed() const {
    if (document_.kinds() == nullptr) return false;
    for (const KindOption& option : document_.kinds()->options())
        if (!option.is_switch()) return true;
    return false;
}

void KindValuesMenu::fill() {
    clear();
    for (const auto& kind : document_.kinds()->kinds()) {
        for (const KindOption& option : kind->options()) {
            if (option.is_switch()) continue;
            add_menu_title(*this, message_text(option.title));
            const auto set = document_.kind_options().find(option.name);
            std::vector<std::string> values = kind->suggestions(option.name);
            const bool is_set = set != document_.kind_options().end();
            if (is_set && std::ranges::find(values, set->second) == values.end())
                values.insert(values.begin(), set->second);
            for (const std::string& value : values) {
                QAction* action = addAction(to_text(value).replace(QLatin1Char('&'), QStringLiteral("&&")),
                                            this, [this, option, value] { choose(option, value); });
                action->setCheckable(true);
                action->setChecked(is_set && set->second == value);
            }
            addAction(option.before_loading.empty() ? tr("Enter …") : tr("Choose folder …"), this,
                      [this, option] { ask_for_value(option); })
                ->setToolTip(message_text(option.help));
            if (is_set) addAction(tr("None"), this, [this, option] { set_value(option, {}); });
        }
    }
}

void KindValuesMenu::ask_for_value(const KindOption& option) {
    const QString title = message_text(option.title);
    if (!option.before_loading.empty()) {
        const QString folder = QFileDialog::getExistingDirectory(parentWidget(), title);
        if (!folder.isEmpty()) choose(option, folder.toStdString());
        return;
    }
    const auto set = document_.kind_options().find(option.name);
    const QString current =
        set == document_.kind_options().end() ? QString() : QString::fromStdString(set->second);
    const QString value =
        QInputDialog::getText(parentWidget(), title, message_text(option.help), QLineEdit::Normal, current);
    if (!value.isEmpty()) choose(option, value.trimmed().toStdString());
}

void KindValuesMenu::choose(const KindOption& option, const std::string& value) {
    if (option.before_loading.empty()) return set_value(option, value);
    auto* box = new QMessageBox(QMessageBox::Question, message_text(option.title),
                                message_text(option.before_loading), QMessageBox::Cancel, parentWidget());
    box->setObjectName(QStringLiteral("ask-before-loading"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(to_text(value));
    QPushButton* load = box->addButton(tr("Load"), QMessageBox::AcceptRole);
    connect(load, &QPushButton::clicked, this, [this, option, value] { set_value(option, value); });
    box->open();
}

void KindValuesMenu::set_value(const KindOption& option, const std::string& value) {
    document_.set_kind_option(option.name, value);
    emit value_set();
}

}  // namespace splitscope::ui
