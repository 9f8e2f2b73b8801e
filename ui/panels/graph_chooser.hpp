// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "ui/document/document.hpp"

namespace splitscope::ui {

/// Selects the open graph of a log or recording, as an undoable edit of the session; hidden for files with
/// one graph.
class GraphChooser : public QComboBox {
    Q_OBJECT
 public:
    explicit GraphChooser(Document& document, QWidget* parent = nullptr);
    /// From 0.
    void open_graph(std::size_t number);
    JobChannel& job() { return job_; }

 private:
    void show_session();

    Document& document_;
    JobChannel job_;
    bool showing_ = false;
};

}  // namespace splitscope::ui
