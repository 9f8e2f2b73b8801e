// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stand_in_text.hpp"

#include <QCoreApplication>
#include <QStringList>

#include "ui/models/device_label.hpp"

namespace splitscope::ui {
namespace {

struct StandInWords {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::StandIn)
};

}  // namespace

QString stand_in_text(const Session& session, const std::vector<BackendId>& stand_ins) {
    if (stand_ins.empty()) return {};
    QStringList names;
    for (const BackendId device : stand_ins) names += device_label(session, device);
    return StandInWords::tr("Computed by this computer's CPU: times are not those of %1.")
        .arg(names.join(QStringLiteral(", ")));
}

}  // namespace splitscope::ui
