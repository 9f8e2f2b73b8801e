// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/session_edits.hpp"

#include <QCoreApplication>

#include "ui/models/machine_edit.hpp"

namespace splitscope::ui {
namespace {

class SessionEdits {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::SessionEdits)

 public:
    static QString change_of(const QString& what) { return tr("Change %1").arg(what); }
};

}  // namespace

void edit_machine(Document& document, const QString& what, const Machine& machine, bool gradual) {
    if (!document.has_session() || machine == document.session().machine) return;
    Session changed = document.session();
    set_machine(changed, machine);
    document.edit(SessionEdits::change_of(what), changed, gradual);
}

void edit_options(Document& document, const QString& what, const std::function<void(ModelOptions&)>& change,
                  bool gradual) {
    if (!document.has_session()) return;
    Session changed = document.session();
    change(changed.model_options);
    if (changed.model_options == document.session().model_options) return;
    document.edit(SessionEdits::change_of(what), changed, gradual);
}

}  // namespace splitscope::ui
