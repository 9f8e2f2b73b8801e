// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringDecoder>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/attach/attached_program.hpp"
#include "ui/document/living_graph.hpp"
#include "ui/document/program_run.hpp"
#include "ui/document/run_control.hpp"

namespace splitscope::ui {

/// What the user chose for a program.
struct ProgramSetup {
    std::vector<std::string> command;  ///< the program with its arguments
    std::filesystem::path folder;      ///< empty = ours
    std::vector<std::pair<std::string, std::string>> environment;
    bool pause_first = false;  ///< behind the first node that it computes
    bool time_nodes = false;   ///< compute node by node, for the profile
};

/// A program under the debugger: starts it, shows its graphs as the session, and makes it the run that all
/// views follow (RunControl). Everything here happens on the UI thread; the channel, the graphs and the
/// values are worked on elsewhere.
class ProgramControl : public QObject {
    Q_OBJECT
 public:
    /// `folder`: where the graphs of programs are kept. Document and control must outlive it.
    ProgramControl(Document& document, RunControl& control, QString folder, QObject* parent = nullptr);
    ~ProgramControl() override;

    /// What is open is replaced by the program's first graph, once there is one.
    void launch(const ProgramSetup& setup);
    /// Asks it to end, and ends it when it does not.
    void end();
    /// Does not wait for it to end itself.
    void end_at_once();
    void signal_now(int number);
    /// It runs on alone.
    void let_go();
    /// To before the first node of the next graph: the next token.
    void step_graph();
    void time_nodes(bool on);
    /// Shows another of its graphs, whatever is computed.
    void show_graph(int number);
    /// Shows how our scheduler decides the graph on screen, or what the program does again.
    void view_ours(bool ours);

    /// Started, and neither ended nor let go.
    bool active() const { return run_ != nullptr; }
    /// It has a graph: there is something to stop in.
    bool attached() const { return living_ != nullptr; }
    const QString& name() const { return name_; }
    const std::vector<std::string>& command() const { return setup_.command; }
    const std::vector<std::shared_ptr<const AttachedGraph>>& graphs() const { return graphs_; }
    /// The graph that the views show; null until there is one.
    const std::shared_ptr<const LivingGraph>& shown() const { return living_; }
    const std::shared_ptr<const AttachStop>& stop() const { return stop_; }
    /// How often each graph was computed, by its number.
    const std::map<int, std::uint64_t>& computed() const { return computed_; }
    /// How it ended, the last time that it did.
    const std::optional<AttachEnd>& ended() const { return ended_; }
    /// How it is, in a sentence.
    QString describe() const;
    /// The real answers of its devices as a machine for other graphs; null without graphs.
    std::optional<KnownMachine> machine() const;
    /// Where its graphs are kept for later.
    const std::filesystem::path& file() const { return file_; }

    JobChannel& show_job() { return show_job_; }
    JobChannel& times_job() { return times_job_; }
    JobChannel& keep_job() { return keep_job_; }

 signals:
    /// Started, attached, stopped, going on, ended, or let go.
    void changed();
    void text_arrived(const QString& text, bool error);
    void graphs_changed();
    /// Another graph is shown.
    void shown_changed();
    void refused(const QString& reason);

 private:
    struct Times {
        std::shared_ptr<const Computation> prompt;
        std::deque<std::shared_ptr<const Computation>> tokens;  ///< the last ones
    };

    void take(ProgramNews news);
    void take_computations(const ProgramNews& news);
    void take_end(const AttachEnd& end);
    void follow();
    void show(std::shared_ptr<const AttachedGraph> graph);
    void take_shown(std::shared_ptr<const LivingGraph> living);
    void announce();
    void renew_times();
    void keep_graphs();
    void send_conditions();
    void forget();
    std::shared_ptr<const AttachedGraph> wanted() const;

    Document& document_;
    RunControl& control_;
    QString folder_;
    ProgramSetup setup_;
    QString name_;
    std::filesystem::path file_;
    std::uint64_t launch_ = 0;  ///< news of earlier ones are late
    std::vector<std::shared_ptr<const AttachedGraph>> graphs_;
    std::shared_ptr<const AttachStop> stop_;
    std::optional<int> chosen_;  ///< graph, until the next stop
    std::shared_ptr<const LivingGraph> living_;
    std::deque<std::shared_ptr<const LivingGraph>> known_;  ///< shown before
    std::shared_ptr<const AttachedGraph> asked_;            ///< being derived
    bool taking_ = false;                                   ///< the document takes a graph of ours
    bool pausing_first_ = false;
    std::uint64_t announced_ = 0;  ///< stop
    std::uint64_t computation_count_ = 0;
    std::map<int, std::uint64_t> computed_;
    Times times_;
    std::optional<AttachEnd> ended_;
    QString failure_;
    QString runs_on_;  ///< why it is no longer watched
    QStringDecoder decoders_[2]{QStringDecoder(QStringDecoder::Utf8), QStringDecoder(QStringDecoder::Utf8)};
    QTimer renew_;
    QTimer kill_;
    std::shared_ptr<ProgramRun> run_;
    JobChannel show_job_;
    JobChannel times_job_;
    JobChannel keep_job_;  ///< last: their threads use the members above
};

}  // namespace splitscope::ui
