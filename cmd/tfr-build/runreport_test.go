package main

import (
	"testing"
	"time"

	"tfr-build/internal/pool"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// A recorder adds up to what was done, by stage, and passes everything on.
func TestRecorder(t *testing.T) {
	began := time.UnixMilli(1_700_000_000_000)
	run := new(report.Run)
	r := &recorder{run: run, began: began}
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	r.add(progress{Phase: pool.SortingToDisk, Done: 500, Total: 1000, Seconds: 0.1}, at(100))
	r.add(progress{Phase: pool.SortingToDisk, Done: 1000, Total: 1000, Seconds: 0.2}, at(200))
	r.add(progress{Phase: pool.Writing, Done: 10, Total: 30, Bytes: 100, Seconds: 0.1}, at(300))
	r.add(progress{Phase: pool.Writing, Done: 30, Total: 30, Bytes: 400, Seconds: 0.2}, at(400))
	r.add(progress{Phase: pool.Publishing, Seconds: 0.1}, at(500))
	want := []report.Stage{{Name: pool.SortingToDisk, Seconds: 0.2, Bytes: 1000},
		{Name: pool.Writing, Seconds: 0.2, Rows: 30, Bytes: 400}, {Name: pool.Publishing, Seconds: 0.1}}
	if len(run.Stages) != len(want) {
		t.Fatalf("%+v", run.Stages)
	}
	for i, s := range run.Stages {
		if s != want[i] {
			t.Errorf("%+v, want %+v", s, want[i])
		}
	}
	rates := []report.Rate{{Second: 0.1}, {Second: 0.2}, {Second: 0.3, Rows: 10, Bytes: 100},
		{Second: 0.4, Rows: 20, Bytes: 300}, {Second: 0.5}}
	for i, rate := range run.Rates {
		if rate != rates[i] {
			t.Errorf("%+v, want %+v", rate, rates[i])
		}
	}
}

// A long run has not more samples, and none of its rows is lost.
func TestRecorderOfALongRun(t *testing.T) {
	began := time.UnixMilli(1_700_000_000_000)
	run := new(report.Run)
	r := &recorder{run: run, began: began}
	const samples = 3*maxSamples + 5
	for i := range samples {
		r.add(progress{Phase: pool.Writing, Done: int64(i + 1), Total: samples, Bytes: int64(i+1) * 10},
			began.Add(time.Duration(i)*interval))
	}
	var rows, bytes int64
	for _, rate := range run.Rates {
		rows, bytes = rows+rate.Rows, bytes+rate.Bytes
	}
	if len(run.Rates) >= maxSamples || rows != samples || bytes != 10*samples {
		t.Errorf("%d samples of %d rows and %d bytes", len(run.Rates), rows, bytes)
	}
}

// The progress since the last reading is recorded at the end: for a short run that is all of it.
func TestRecorderEnds(t *testing.T) {
	run := new(report.Run)
	state := func() pipeline.State {
		return pipeline.State{Phase: pool.Writing, Begun: 1, Done: 7, Total: 7, Bytes: 70}
	}
	r := &recorder{state: state, run: run, began: time.Now().Add(-time.Second)}
	r.end()
	if len(run.Stages) != 1 || run.Stages[0].Rows != 7 || run.Stages[0].Seconds < 1 {
		t.Errorf("%+v", run.Stages)
	}
}
