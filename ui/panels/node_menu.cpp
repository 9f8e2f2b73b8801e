// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/node_menu.hpp"

#include <QCoreApplication>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/weight_place.hpp"

namespace splitscope::ui {
namespace {

struct NodeMenuText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::NodeMenu)
};

void add(QMenu& menu, const PanelContext& context, std::initializer_list<const char*> ids) {
    for (const char* id : ids) menu.addAction(context.actions.find(QLatin1String(id)));
    menu.addSeparator();
}

/// Escapes ampersands, which would mark shortcuts.
QString menu_text(const QString& name) {
    return QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

/// "Keep this weight on …": an override rule for this weight.
void add_weight_places(QMenu& menu, const PanelContext& context) {
    Document& document = context.document;
    const auto& analysis = document.own_analysis();
    if (!analysis || document.viewing_other()) return;
    const TensorId weight = weight_of(*analysis, document.selection().tensor());
    if (!weight.valid()) return;
    const std::string name = (*analysis->graph)[weight].name;
    QMenu* places = menu.addMenu(NodeMenuText::tr("&Keep %1 on").arg(menu_text(to_text(name))));
    places->setObjectName(QStringLiteral("weight-places"));
    for (const WeightPlace& place : weight_places(*analysis, weight)) {
        QAction* action = places->addAction(
            menu_text(
                QStringLiteral("%1 (%2)").arg(device_label(*analysis, place.backend), to_text(place.target))),
            &document, [&document, name, target = place.target] {
                document.edit(NodeMenuText::tr("Keep %1 on %2").arg(to_text(name), to_text(target)),
                              with_weight_on(document.session(), name, target));
            });
        action->setCheckable(true);
        action->setChecked(place.present);
    }
    menu.addSeparator();
}

}  // namespace

void fill_node_menu(QMenu& menu, const PanelContext& context) {
    add(menu, context, {"go.why", "run.inspect", "go.bookmark", "go.note"});
    add(menu, context, {"view.path-inputs", "view.path-outputs", "view.path", "view.path-clear"});
    add_weight_places(menu, context);
    add(menu, context, {"run.to-here", "run.again"});
    add(menu, context, {"run.break-here", "run.break-op"});
    menu.addAction(context.actions.find(QStringLiteral("edit.copy-name")));
}

}  // namespace splitscope::ui
