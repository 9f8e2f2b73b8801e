// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/graph_chooser.hpp"

#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

GraphChooser::GraphChooser(Document& document, QWidget* parent)
    : QComboBox(parent), document_(document), job_(tr("Reading the graph")) {
    setToolTip(tr("The graph of the file to show"));
    setAccessibleName(tr("Graph of the file"));
    fit_contents(*this);
    connect(this, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!showing_ && index >= 0) open_graph(static_cast<std::size_t>(index));
    });
    connect(&document, &Document::session_changed, this, &GraphChooser::show_session);
    // The selection belongs to the previous document.
    connect(&document, &Document::opened, &job_, &JobChannel::cancel);
    connect(&job_, &JobChannel::ended, this, &GraphChooser::show_session);
    show_session();
}

void GraphChooser::open_graph(std::size_t number) {
    if (!document_.has_session()) return;
    const auto& file = document_.session().file;
    if (number >= file->graphs.size() || number == file->graph_number) return;
    job_.start([path = file->path, number](const JobContext& job) { return open_file(path, job, number); },
               [this, file, number](const std::shared_ptr<const OpenedFile>& opened) {
                   if (document_.session().file != file) return;
                   // Assignments and buffers refer to a graph, so the machine recorded with it is used.
                   Session changed = document_.session();
                   changed.file = opened;
                   if (opened->machine) changed.machine = *opened->machine;
                   document_.edit(tr("Show graph %1").arg(number + 1), changed);
               });
}

void GraphChooser::show_session() {
    if (job_.running()) return;
    showing_ = true;
    const auto& file = document_.session().file;
    clear();
    if (file) {
        for (std::size_t g = 0; g < file->graphs.size(); ++g) {
            const GraphInFile& graph = file->graphs[g];
            addItem(tr("%1. %2, %3 nodes").arg(g + 1).arg(to_text(graph.title), count_text(graph.nodes)));
        }
        setCurrentIndex(static_cast<int>(file->graph_number));
    }
    // Tool bars require visibility changes through their action.
    setVisible(count() > 1);
    showing_ = false;
}

}  // namespace splitscope::ui
