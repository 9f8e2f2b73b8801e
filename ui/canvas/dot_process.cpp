// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/dot_process.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <algorithm>
#include <csignal>
#include <string>

#include <sys/prctl.h>

#include "engine/support/limits.hpp"
#include "ui/canvas/layout/dot_text.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

constexpr int kPollMs = 30;
constexpr QByteArrayView kStop = "\nstop\n";

struct Words {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::DotProcess)
};

/// Terminates the process on scope exit.
class KilledAtEnd {
 public:
    explicit KilledAtEnd(QProcess& process) : process_(process) {}
    ~KilledAtEnd() {
        if (process_.state() == QProcess::NotRunning) return;
        process_.kill();
        process_.waitForFinished(1000);
    }
    KilledAtEnd(const KilledAtEnd&) = delete;
    KilledAtEnd& operator=(const KilledAtEnd&) = delete;

 private:
    QProcess& process_;
};

}  // namespace

DotResult layout_with_dot(std::span<const BlockShape> shapes, const DotOptions& options,
                          const JobContext& job) {
    DotResult result;
    result.layouts.resize(shapes.size());
    std::string input;
    for (const BlockShape& shape : shapes) input += to_dot(shape);

    QProcess process;
    const KilledAtEnd guard(process);
    QElapsedTimer timer;
    timer.start();
    // Its error output is not shown, and unlimited output would exhaust memory.
    process.setStandardErrorFile(QProcess::nullDevice());
    // dot is terminated with this program.
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    process.start(options.program, {QStringLiteral("-Tplain")});
    if (!process.waitForStarted(3000)) {
        result.note = Words::tr(
            "Graphviz (dot) was not found: showing the quick layout; install graphviz for a better one");
        return result;
    }
    process.write(input.data(), static_cast<qint64>(input.size()));
    process.closeWriteChannel();
    QByteArray output;
    qsizetype done = 0;
    bool overran = false;
    while (process.state() != QProcess::NotRunning) {
        job.check();
        if (timer.elapsed() > options.budget.count() || output.size() > kMaxGraphvizBytes) {
            overran = true;
            break;
        }
        process.waitForReadyRead(kPollMs);
        // The marker at the end of a layout may arrive in two pieces.
        const qsizetype seen = std::max<qsizetype>(0, output.size() + 1 - kStop.size());
        output += process.readAllStandardOutput();
        done += QByteArrayView(output).sliced(std::min(seen, output.size())).count(kStop);
        job.report(static_cast<double>(done) / static_cast<double>(shapes.size()),
                   msg::kLayingOutWithGraphviz);
        if (process.state() == QProcess::Running && process.bytesAvailable() == 0) process.waitForFinished(1);
    }
    output += process.readAllStandardOutput();
    job.check();
    const std::string text = output.toStdString();
    result.layouts = parse_plain(text, shapes);
    std::size_t missing = 0;
    for (const auto& layout : result.layouts) missing += layout ? 0 : 1;
    if (overran) {
        result.note = Words::tr("Graphviz exceeded its time limit: some parts keep the quick layout");
    } else if (missing > 0) {
        result.note = Words::tr("Graphviz ended early: some parts keep the quick layout");
    }
    return result;
}

}  // namespace splitscope::ui
