// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <string>

#include "ui/document/document.hpp"

namespace splitscope::ui {

/// Values for the options of backend kinds, such as the folder of an engine: likely values and others. Asks
/// before foreign code is loaded.
class KindValuesMenu : public QMenu {
    Q_OBJECT
 public:
    explicit KindValuesMenu(Document& document, QWidget* parent);

    /// Whether any kind has such options.
    bool is_needed() const;
    /// As if chosen in the menu.
    void choose(const KindOption& option, const std::string& value);

 signals:
    /// A value was set, after confirmation if required.
    void value_set();

 private:
    void fill();
    void ask_for_value(const KindOption& option);
    void set_value(const KindOption& option, const std::string& value);

    Document& document_;
};

}  // namespace splitscope::ui
