# SPDX-License-Identifier: MIT
import gc
import json
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import splitscope

PROMPT = "My father"


@pytest.fixture(scope="module")
def whole(session):
    return session.run(PROMPT, tokens=8, logits=True)


def test_a_run_is_that_of_the_command_line(sample, whole, program, switches, tmp_path):
    rows = tmp_path / "logits.f32"
    theirs = json.loads(
        program("run", sample, *switches, "-p", PROMPT, "-n", "8", "--json", "--logits", rows)
    )
    assert whole.text == theirs["text"]
    assert whole.tokens == theirs["tokens"]
    assert whole.prompt_tokens == theirs["prompt_tokens"]
    assert not whole.cancelled
    assert whole.logits.dtype == np.float32
    assert whole.logits.tobytes() == rows.read_bytes()
    assert [int(row.argmax()) for row in whole.logits] == whole.tokens
    assert whole.prompt_seconds > 0
    assert whole.decoded_tokens == len(whole.tokens) - 1


def test_tokens_are_told(session, whole):
    told = []
    run = session.run(prompt_tokens=whole.prompt_tokens, tokens=4, logits=True, on_token=told.append)
    assert [token.id for token in told] == run.tokens == whole.tokens[:4]
    assert b"".join(token.piece for token in told).decode() == run.text
    assert np.array_equal(told[2].logits, whole.logits[2])


def test_nodes_are_arrays_that_may_be_kept(session, sample, program, switches, tmp_path):
    told = []
    run = session.run(PROMPT, tokens=1, on_node=told.append)
    arrays = {node.identity: node.array for node in told}
    schedule = run.prompt_schedule
    computing = schedule.nodes[schedule.nodes["computes"]]
    assert [node.name for node in told] == list(computing["name"])
    assert [node.backend for node in told] == list(computing["backend"])
    # No copy is made, and the memory of each is its own.
    norm = next(node for node in told if node.op == "RMS_NORM")
    assert np.shares_memory(norm.array, norm.raw)
    assert np.shares_memory(norm.array, arrays[norm.identity])
    before = {identity: array.copy() for identity, array in arrays.items()}
    shown = program("run", sample, *switches, "-p", PROMPT, "-n", "1", "--dump-tensor",
                    f"{norm.identity}={tmp_path / 'norm.npy'}")
    assert shown is not None
    assert np.array_equal(np.load(tmp_path / "norm.npy"), norm.array)
    identity = norm.identity
    del told, norm, run
    gc.collect()
    session.run(PROMPT, tokens=2)
    assert np.array_equal(arrays[identity], before[identity])


def test_timelines(session):
    run = session.run(PROMPT, tokens=2, time_nodes=True)
    prompt = run.prompt_timeline
    assert prompt.units["start"] == "ns"
    assert (prompt["end"] >= prompt["start"]).all()
    computed = prompt.where(step="compute")
    assert set(computed["backend"]) == {"GPU0", "CPU"}
    assert len(run.decode_timeline) > 0
    trace = json.loads(run.report(session.schedule(), format="trace"))
    assert trace["traceEvents"]


def test_breakpoints(session):
    stops = []

    def on_stop(stop):
        values = stop.tensor()
        stops.append((stop.reason, stop.op, stop.backend, values.shape, values.state))
        assert stop.position <= stop.nodes and stop.computation == 1
        if len(stops) == 1:
            return "step"
        return "continue" if len(stops) < 4 else "end"

    run = session.run(PROMPT, tokens=4, breakpoints=[splitscope.Breakpoint("SOFT_MAX", kind="op")], on_stop=on_stop)
    assert [(reason, op) for reason, op, *_ in stops[:1]] == [("breakpoint", "SOFT_MAX")]
    assert stops[1][0] == "step"
    assert [op for _, op, *_ in stops[2:]] == ["SOFT_MAX", "SOFT_MAX"]
    assert {state for *_, state in stops} == {"computed"}
    assert run.cancelled and run.tokens == []


def stops_of(session, *breakpoints, tokens=3):
    stops = []
    session.run(PROMPT, tokens=tokens, breakpoints=breakpoints,
                on_stop=lambda stop: stops.append((stop.identity, stop.computation)))
    return stops


def test_breakpoints_are_narrowed_down_as_those_of_a_program(session):
    every = stops_of(session, "l_out-0")
    assert [computation for _, computation in every] == [1, 2, 3]
    assert stops_of(session, "l_out-0,graph=3") == every[2:]
    assert stops_of(session, splitscope.Breakpoint("l_out-0", graph=3)) == every[2:]
    assert stops_of(session, "l_out-0,hits=2") == stops_of(session, splitscope.Breakpoint("l_out-0", hits=2)) == every[1:]
    first = stops_of(session, "op=MUL_MAT,split=0", tokens=1)
    assert first == stops_of(session, splitscope.Breakpoint("MUL_MAT", kind="op", split=0), tokens=1)
    assert 0 < len(first) < len(stops_of(session, "op=MUL_MAT", tokens=1))
    assert stops_of(session, "l_out-*,graph=1", tokens=1)
    assert stops_of(session, "l_out-0,outside=-1e9..1e9") == []
    assert stops_of(session, splitscope.Breakpoint("l_out-0", outside=(0, 0.5))) == every


@pytest.mark.parametrize("breakpoint, near", [
    ("nosuch", "names are"), ("l_uot-0", "l_out-0"), ("l_uot-*", "l_out-"), ("backend=GPU7", "GPU0"),
    ("l_out-0,split=99", "split"), (splitscope.Breakpoint("l_out-0", split=99), "split"),
    (splitscope.Breakpoint("l_uot-0", graph=2), "l_out-0"),
])
def test_breakpoints_that_no_node_matches_are_refused(session, breakpoint, near):
    told = []
    with pytest.raises(splitscope.Error) as caught:
        session.run(PROMPT, tokens=2, breakpoints=["l_out-0", breakpoint], on_stop=told.append, on_token=told.append)
    assert caught.value.kind == "unknown" and near in caught.value.remedy
    assert told == []


def test_breakpoints_that_never_stop_the_run_are_reported(session):
    late = splitscope.Breakpoint("SOFT_MAX", kind="op", graph=99)
    with pytest.warns(RuntimeWarning, match="never stopped: l_out-0,graph=99; op=SOFT_MAX,graph=99$"):
        run = session.run(PROMPT, tokens=2, breakpoints=["l_out-0,graph=99", "l_out-0", late, "not-finite"],
                          on_stop=lambda stop: None)
    assert run.unmet_breakpoints == ["l_out-0,graph=99", late, "not-finite"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ended = session.run(PROMPT, tokens=2, breakpoints=["l_out-0", late], on_stop=lambda stop: "end")
        valued = session.run(PROMPT, tokens=1, breakpoints=["not-finite", "l_out-0,outside=-1e9..1e9"],
                             on_stop=lambda stop: None)
    assert ended.unmet_breakpoints == [late]
    assert len(valued.unmet_breakpoints) == 2
    assert session.run(PROMPT, tokens=1).unmet_breakpoints == []


def test_nodes_may_be_computed_one_by_one(session, whole):
    assert session.run(PROMPT, tokens=len(whole.tokens), fuse=False).tokens == whole.tokens


@pytest.mark.parametrize("breakpoint", [
    "l_out-0,graph=0", "l_out-0,hits=0", "l_out-0,outside=2..1", "l_out-0,tokens=1", "", "op=VIEW",
    splitscope.Breakpoint("l_out-0", graph=0), splitscope.Breakpoint("l_out-0", hits=0),
    splitscope.Breakpoint("l_out-0", split=-1), splitscope.Breakpoint("l_out-0", outside=(2, 1)),
])
def test_wrong_breakpoints_are_refused(session, breakpoint):
    with pytest.raises(splitscope.Error) as caught:
        session.run(PROMPT, tokens=1, breakpoints=[breakpoint], on_stop=print)
    assert caught.value.kind == "usage"


def test_a_written_tensor_is_what_is_read_from_then_on(session, whole):
    name = next(n for n in session.schedule().nodes["name"] if n.startswith("attn_norm"))

    def on_stop(stop):
        if stop.computation == 1:
            stop.write(stop.identity, 0)
            assert not stop.tensor().array.any()

    changed = session.run(PROMPT, tokens=1, logits=True, breakpoints=[name], on_stop=on_stop)
    assert not np.array_equal(changed.logits[0], whole.logits[0])

    def rewrite(stop):
        stop.write(stop.identity, stop.tensor().array)

    same = session.run(PROMPT, tokens=1, logits=True, breakpoints=[name], on_stop=rewrite)
    assert np.array_equal(same.logits[0], whole.logits[0])


def test_a_stop_is_of_use_only_while_it_stands(session):
    kept = []
    session.run(PROMPT, tokens=1, breakpoints=["l_out-0"], on_stop=kept.append)
    with pytest.raises(ValueError, match="the run has continued"):
        kept[0].tensor()
    with pytest.raises(ValueError, match="the run has continued"):
        kept[0].op


def test_wrong_use_is_refused(session):
    with pytest.raises(TypeError, match="prompt or prompt_tokens"):
        session.run()
    with pytest.raises(splitscope.Error):
        session.run(PROMPT, breakpoints=["l_out-0"])
    with pytest.raises(splitscope.Error):
        session.run(PROMPT, breakpoints=["l_out-0"], on_stop=print, on_node=print)
    with pytest.raises(splitscope.Error):
        session.run(PROMPT, breakpoints=[splitscope.Breakpoint("[", kind="regex")], on_stop=print)
    with pytest.raises(ValueError, match="on_stop must return"):
        session.run(PROMPT, breakpoints=["l_out-0"], on_stop=lambda stop: "back")
    with pytest.raises(splitscope.Error) as caught:
        session.run(prompt_tokens=[10**6])
    assert caught.value.kind == "range"


class Own(Exception):
    pass


@pytest.mark.parametrize("event", ["on_token", "on_node", "on_stop"])
def test_an_exception_in_a_call_ends_the_run(session, event):
    calls = []

    def fail(_):
        calls.append(threading.current_thread())
        raise Own()

    events = {event: fail}
    if event == "on_stop":
        events["breakpoints"] = ["l_out-0"]
    with pytest.raises(Own):
        session.run(PROMPT, tokens=8, **events)
    assert calls == [threading.current_thread()]


def test_an_interrupt_in_a_call_ends_the_run(session):
    with pytest.raises(KeyboardInterrupt):
        session.run(PROMPT, tokens=8, on_token=lambda token: signal.raise_signal(signal.SIGINT))


def test_an_interrupt_ends_what_calls_nothing(program, tmp_path):
    model = tmp_path / "random.gguf"
    program("make-model", "--layers", "8", "--embedding", "512", "--heads", "8", "--kv-heads", "8",
            "--feed-forward", "1536", "--vocabulary", "1000", "-o", model)
    session = splitscope.open(model, devices=["none"])

    def seconds_of_run():
        begin = time.monotonic()
        try:
            session.run(prompt_tokens=[1, 2, 3], tokens=200, stop_at_end=False, threads=1)
        except KeyboardInterrupt:
            return time.monotonic() - begin, True
        return time.monotonic() - begin, False

    whole, interrupted = seconds_of_run()
    assert not interrupted
    threading.Timer(whole / 4, os.kill, (os.getpid(), signal.SIGINT)).start()
    part, interrupted = seconds_of_run()
    assert interrupted and part < 0.8 * whole


def test_other_threads_go_on(session):
    counted = 0
    ended = False

    def count():
        nonlocal counted
        while not ended:
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    session.run(PROMPT, tokens=32)
    during = counted - before
    ended = True
    thread.join()
    assert during > 100
