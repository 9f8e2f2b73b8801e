// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_facts.hpp"

#include <QCoreApplication>

#include "ui/models/device_label.hpp"
#include "ui/models/labels.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class TensorFacts {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::TensorFacts)
};

}  // namespace

QString figure_text(double value) {
    return QString::number(value, 'g', 5);
}

QString tensor_facts(const Session& session, const TensorCapture& capture, const TensorStatistics& s,
                     const QColor& warn) {
    QString state;
    switch (capture.state) {
        case TensorState::computed:
            state = capture.backend.empty()
                        ? TensorFacts::tr("not computed: a weight, a cache or an input")
                        : TensorFacts::tr("computed on %1")
                              .arg(device_label(session, capture.backend).toHtmlEscaped());
            break;
        case TensorState::not_computed:
            state = TensorFacts::tr("<b>Not computed yet</b>: its memory holds older data");
            break;
        case TensorState::reused:
            state = TensorFacts::tr("<b>Overwritten</b>: its memory holds %1 now")
                        .arg(to_text(capture.reused_by).toHtmlEscaped());
            break;
        case TensorState::no_memory:
        case TensorState::repacked:
            break;
    }
    QString text = QStringLiteral("<b>%1</b> · %2<br>%3 · %4<br>%5<br>")
                       .arg(to_text(capture.tensor.name).toHtmlEscaped(), op_label(capture.tensor),
                            shape_label(capture.tensor), bytes_text(capture.bytes.size()), state);
    text += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">");
    const auto line = [&text, &warn](const QString& name, const QString& value, bool bad = false) {
        text += QStringLiteral(
                    "<tr><td style=\"padding-right:10px; white-space:nowrap\">%1</td>"
                    "<td align=\"right\" style=\"white-space:nowrap;%3\">%2</td></tr>")
                    .arg(name, value, bad ? QStringLiteral(" color:%1").arg(warn.name()) : QString());
    };
    line(TensorFacts::tr("Minimum"), figure_text(s.min));
    line(TensorFacts::tr("Maximum"), figure_text(s.max));
    line(TensorFacts::tr("Mean"), figure_text(s.mean));
    line(TensorFacts::tr("Deviation"), figure_text(s.deviation));
    line(TensorFacts::tr("Zeros"), count_text(static_cast<std::uint64_t>(s.zeros)));
    line(TensorFacts::tr("NaN"), count_text(static_cast<std::uint64_t>(s.nan)), s.nan > 0);
    line(TensorFacts::tr("Infinite"), count_text(static_cast<std::uint64_t>(s.infinite)), s.infinite > 0);
    line(TensorFacts::tr("Values"), count_text(static_cast<std::uint64_t>(s.count)));
    return text + QStringLiteral("</table>");
}

}  // namespace splitscope::ui
