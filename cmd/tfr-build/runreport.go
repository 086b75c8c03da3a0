package main

import (
	"context"
	"fmt"
	"time"

	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/version"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// A recorder records the progress of a run for its report, and passes it on to a display.
type recorder struct {
	state func() pipeline.State
	shown display // nil without a display
	run   *report.Run
	last  progress
	began time.Time
}

// maxSamples is the largest number of samples: when it is reached, pairs of samples are merged.
const maxSamples = 4096

func (r *recorder) show(p progress) {
	r.add(p, time.Now())
	if r.shown != nil {
		r.shown.show(p)
	}
}

// add records the progress since the last call.
func (r *recorder) add(p progress, now time.Time) {
	if p.Phase != r.last.Phase || p.begun != r.last.begun {
		r.run.Stages = append(r.run.Stages, report.Stage{Name: p.Phase})
		r.last = progress{Phase: p.Phase, begun: p.begun}
	}
	rate := report.Rate{Second: now.Sub(r.began).Seconds(), Bytes: p.Bytes - r.last.Bytes}
	stage := &r.run.Stages[len(r.run.Stages)-1]
	stage.Seconds, stage.Bytes = p.Seconds, p.Bytes
	switch {
	case p.countsRows():
		stage.Rows, rate.Rows = p.Done, p.Done-r.last.Done
	case p.countsBytes():
		stage.Bytes = p.Done
	}
	if r.last = p; p.Phase != pool.Writing { // throughput is only recorded for writing
		rate.Rows, rate.Bytes = 0, 0
	}
	r.run.Rates = append(r.run.Rates, rate)
	if len(r.run.Rates) == maxSamples {
		r.run.Rates = halve(r.run.Rates)
	}
}

// halve merges pairs of samples.
func halve(rates []report.Rate) []report.Rate {
	half := rates[:0]
	for i := 0; i+1 < len(rates); i += 2 {
		a, b := rates[i], rates[i+1]
		half = append(half, report.Rate{Second: b.Second, Rows: a.Rows + b.Rows, Bytes: a.Bytes + b.Bytes})
	}
	return half
}

// end records the progress since the last reading: a short run may have no other.
func (r *recorder) end() {
	now := time.Now()
	var p progress
	if p.read(r.state()); p.Phase != "" {
		p.Seconds = now.Sub(r.began).Seconds()
		for i, s := range r.run.Stages {
			if i < len(r.run.Stages)-1 || p.begun != r.last.begun {
				p.Seconds -= s.Seconds
			}
		}
		r.add(p, now)
	}
	if r.shown != nil {
		r.shown.end()
	}
}

// writeRunReport writes the report about the dataset and this run.
func writeRunReport(ctx context.Context, c *call, result *pipeline.Result, run *report.Run) error {
	took := time.Since(c.record.began)
	run.Facts = append(run.Facts,
		"Began at "+c.record.began.UTC().Format(time.RFC3339),
		fmt.Sprintf("Took %.2f s", took.Seconds()),
		plural.Of(int64(c.Workers), "worker"),
		"tfr-build "+version.Program(),
	)
	if result.UpToDate {
		run.Facts = append(run.Facts, "The dataset was up to date, and nothing was done")
	}
	from := openStorage(ctx, c, c.loaded)
	defer from.Close()
	data, err := renderReport(ctx, from, result.Output, &c.options, run)
	if err != nil {
		return asInputError(result.Output, err)
	}
	return replaceFile(c.runReport, data)
}
