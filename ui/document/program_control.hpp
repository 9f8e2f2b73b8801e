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
#include "ui/document/program_graph.hpp"
#include "ui/document/program_run.hpp"
#include "ui/document/run_control.hpp"

namespace splitscope::ui {

/// The user's settings for a program.
struct ProgramSetup {
    std::vector<std::string> command;  ///< the program with its arguments
    std::filesystem::path folder;      ///< empty = that of this process
    std::vector<std::pair<std::string, std::string>> environment;
    bool pause_first = false;  ///< after the first computed node
    bool time_nodes = false;   ///< compute node by node, for the profile
};

/// A program under the debugger: starts it, shows its graphs as the session, and makes it the run that all
/// views follow (RunControl). For the UI thread only; the channel, the graphs and the values are handled on
/// other threads.
class ProgramControl : public QObject {
    Q_OBJECT
 public:
    /// `folder`: for the graphs of programs. Document and control must outlive this object.
    ProgramControl(Document& document, RunControl& control, QString folder, QObject* parent = nullptr);
    ~ProgramControl() override;

    /// The program's first graph will replace the open file.
    void launch(const ProgramSetup& setup);
    /// Requests its end, and ends it after a time-out.
    void end();
    /// Ends it without waiting.
    void end_at_once();
    void signal_now(int number);
    /// It continues without debugger.
    void detach();
    /// Continues to the start of the next graph, which is the next token.
    void step_graph();
    void time_nodes(bool on);
    bool times_nodes() const { return setup_.time_nodes; }
    /// Shows another graph of the program, independent of the one being computed.
    void show_graph(int number);
    /// Shows the simulated schedule of the displayed graph, or the program's schedule again.
    void view_simulated(bool ours);

    /// Started, and neither ended nor detached.
    bool active() const { return run_ != nullptr; }
    /// Whether it has a graph, so that it can stop.
    bool attached() const { return shown_ != nullptr; }
    const QString& name() const { return name_; }
    const std::vector<std::string>& command() const { return setup_.command; }
    const std::vector<std::shared_ptr<const AttachedGraph>>& graphs() const { return graphs_; }
    /// The displayed graph; null until there is one.
    const std::shared_ptr<const ProgramGraph>& shown() const { return shown_; }
    const std::shared_ptr<const AttachStop>& stop() const { return stop_; }
    /// Number of computations by graph number.
    const std::map<int, std::uint64_t>& computed() const { return computed_; }
    /// How it ended, most recently.
    const std::optional<AttachEnd>& ended() const { return ended_; }
    /// Its state, in a sentence.
    QString describe() const;
    /// The answers of its devices as a machine for other graphs; null without graphs.
    std::optional<KnownMachine> machine() const;
    /// The last prompt and the last tokens that were timed, in order of time.
    std::vector<std::shared_ptr<const Computation>> timed() const;
    /// The file that keeps its graphs.
    const std::filesystem::path& file() const { return file_; }

    JobChannel& show_job() { return show_job_; }
    JobChannel& times_job() { return times_job_; }
    JobChannel& keep_job() { return keep_job_; }

 signals:
    /// Started, attached, stopped, continued, ended or detached.
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

    void take(ProgramUpdate update);
    void take_computations(const ProgramUpdate& update);
    bool pass_second_breakpoint(const ProgramUpdate& update);
    void take_end(const AttachEnd& end);
    /// Ends the connection with the program.
    void release();
    void follow();
    void show(std::shared_ptr<const AttachedGraph> graph);
    void take_shown(std::shared_ptr<const ProgramGraph> graph);
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
    std::uint64_t launch_ = 0;  ///< updates of earlier programs are ignored
    std::vector<std::shared_ptr<const AttachedGraph>> graphs_;
    std::shared_ptr<const AttachStop> stop_;
    std::optional<int> chosen_;  ///< graph selected by the user, until the next stop
    std::shared_ptr<const ProgramGraph> shown_;
    std::deque<std::shared_ptr<const ProgramGraph>> known_;  ///< shown earlier
    std::shared_ptr<const AttachedGraph> asked_;             ///< being derived
    bool taking_ = false;                                    ///< the document takes a graph of this object
    bool pausing_first_ = false;
    std::uint64_t announced_ = 0;  ///< number of the last announced stop
    std::shared_ptr<const AttachStop> last_stop_;
    bool passed_ = false;  ///< last_stop_ was not shown
    std::uint64_t computation_count_ = 0;
    std::map<int, std::uint64_t> computed_;
    Times times_;
    std::optional<AttachEnd> ended_;
    QString failure_;
    QString runs_on_;  ///< why it was detached and continues
    QStringDecoder decoders_[2]{QStringDecoder(QStringDecoder::Utf8), QStringDecoder(QStringDecoder::Utf8)};
    QTimer renew_;
    QTimer kill_;
    std::shared_ptr<ProgramRun> run_;
    JobChannel show_job_;
    JobChannel times_job_;
    JobChannel keep_job_;  ///< last, because their threads use the members above
};

}  // namespace splitscope::ui
