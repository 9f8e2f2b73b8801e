// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the canvas while panning and zooming a graph of 10,000 nodes, drawn in software.
#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>

#include "tests/gui/sample_graphs.hpp"
#include "ui/canvas/canvas_view.hpp"

namespace {

using namespace splitscope;
using namespace splitscope::ui;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Processor time of this thread: frames are comparable on a busy machine too.
double thread_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void measure(const char* name, CanvasView& view, int frames, const std::function<void(int)>& move) {
    QImage image(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) {
        const double start = thread_milliseconds();
        move(i);
        QPainter painter(&image);
        view.viewport()->render(&painter);
        painter.end();
        times.push_back(thread_milliseconds() - start);
    }
    std::ranges::sort(times);
    std::printf("%-28s p50 %6.1f ms   p95 %6.1f ms\n", name, times[times.size() / 2],
                times[times.size() * 95 / 100]);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.set_mode(ThemeMode::dark);

    auto analysis = std::make_shared<Analysis>();
    analysis->graph = layered_graph(1670);
    Machine machine;
    machine.backends.resize(2);
    analysis->machine = std::make_shared<const Machine>(machine);
    auto schedule = std::make_shared<Schedule>(halved(analysis->graph));
    schedule->machine = analysis->machine;
    schedule->backend.assign(analysis->graph->tensors.size(), BackendId(0));
    schedule->cause.resize(analysis->graph->tensors.size());
    analysis->schedule = schedule;

    const auto start = Clock::now();
    auto outline = std::make_shared<const Outline>(make_outline(*schedule));
    Picture picture = quick_picture(*outline);
    auto content = make_content(analysis, outline, std::move(picture));
    std::printf("%zu nodes: outline and quick layout %.1f ms\n", analysis->graph->nodes.size(),
                milliseconds_since(start));

    CanvasView view(theme);
    view.resize(1920, 1080);
    view.show();
    view.set_content(content, false);
    auto replay = std::make_shared<Replay>(schedule);
    view.set_replay(replay, {});

    const auto pan = [&view](int i) {
        view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() + (i % 2 == 0 ? 17 : -11));
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + (i % 3 == 0 ? 13 : -5));
    };
    view.fit();
    measure("whole graph, panning", view, 60, pan);
    for (const double zoom : {0.05, 0.1, 0.25, 0.6, 1.0}) {
        view.setTransform(QTransform::fromScale(zoom, zoom));
        view.centerOn(content->picture.bounds.width / 3, content->picture.bounds.height / 3);
        char name[40];
        std::snprintf(name, sizeof name, "zoom %.2f, panning", zoom);
        measure(name, view, 60, pan);
    }
    view.fit();
    measure("zooming in and out", view, 80, [&view](int i) { view.zoom_by(i < 40 ? 1.12 : 1 / 1.12); });
    return 0;
}
