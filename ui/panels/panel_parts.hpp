// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace splitscope::ui {

/// A form layout for a narrow dock: long fields wrap to a row of their own.
inline QFormLayout* new_form(QWidget* parent = nullptr) {
    auto* form = new QFormLayout(parent);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setVerticalSpacing(5);
    return form;
}

/// Lets the box become narrower than its text; otherwise it takes the room that there is.
inline void allow_shrinking(QComboBox& box) {
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(8);
    box.setSizePolicy(QSizePolicy::Expanding, box.sizePolicy().verticalPolicy());
}

/// As wide as its contents if there is room, up to a limit.
inline void fit_contents(QComboBox& box) {
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box.setMinimumWidth(80);
    box.setMaximumWidth(280);
}

/// Shows editable text; read-only if it exceeds the field's maximum length.
inline void show_for_editing(QLineEdit& field, const QString& text) {
    field.setText(text);
    field.setReadOnly(field.text() != text);
    field.setProperty("shown", field.text());
    if (!field.hasFocus()) field.setCursorPosition(0);
}

/// Whether the user changed the text; a focus change alone is not an edit.
inline bool was_edited(const QLineEdit& field) {
    return field.text() != field.property("shown").toString();
}

/// A label in the muted colour.
inline QLabel* muted_label(const QString& text = {}) {
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    return label;
}

/// A line above or below content, hidden without text; does not widen the window.
inline QLabel* note_label() {
    auto* label = muted_label();
    label->setWordWrap(true);
    label->hide();
    return label;
}
inline void show_note(QLabel& label, const QString& text) {
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

/// A placeholder for missing content.
inline QLabel* empty_label(const QString& markup) {
    auto* label = new QLabel(markup);
    label->setTextFormat(Qt::RichText);
    label->setProperty("role", "muted");
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMargin(24);
    return label;
}

/// The title of the entries below it. Style sheets hide the text of QMenu::addSection().
inline void add_menu_title(QMenu& menu, const QString& title) {
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(title)->setEnabled(false);
}

/// A command's button at the end of a row.
inline QToolButton* add_action_button(QLayout& row, QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize(QSize(18, 18));
    button->setFocusPolicy(Qt::TabFocus);
    row.addWidget(button);
    return button;
}

}  // namespace splitscope::ui
