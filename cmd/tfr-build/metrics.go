package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tfr-build/internal/exit"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/sink"
)

// metricsHead is the first line of a file of metrics. A file that has another one
// is not replaced.
const metricsHead = "# tfr-build metrics, as node_exporter's textfile collector reads them\n"

const lastSuccess = "tfr_build_last_success_timestamp_seconds"

// A runRecord is what metrics tell of a run.
type runRecord struct {
	measured     bool   // there is a file of metrics, which may be replaced
	name, output string // of the dataset; empty where there was no config
	began, ended time.Time
	code         int
	result       *pipeline.Result // nil of a run that failed
	rejected     map[string]int64 // rows by code
	findings     int              // of the config's checks
	before       string           // the time of the last success, as the file before has it
}

// text is the record in the text format of Prometheus:
// https://prometheus.io/docs/instrumenting/exposition_formats/
func (r *runRecord) text() []byte {
	var b promText
	b.WriteString(metricsHead)
	own := r.labels()
	seconds := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
	b.begin("tfr_build_last_run_timestamp_seconds", "When the last run ended.")
	b.sample(own, seconds(r.ended))
	success := r.before
	if r.code == exit.Done {
		success = seconds(r.ended)
	}
	if success != "" {
		b.begin(lastSuccess, "When the last run that succeeded ended.")
		b.sample(own, success)
	}
	b.begin("tfr_build_exit_code", "The exit code of the last run; 0 is success.")
	b.sample(own, strconv.Itoa(r.code))
	b.begin("tfr_build_duration_seconds", "How long the last run took.")
	b.sample(own, strconv.FormatFloat(r.ended.Sub(r.began).Seconds(), 'f', 3, 64))
	r.dataset(&b, own)
	if r.result != nil || r.findings > 0 {
		b.begin("tfr_build_findings", "What the checks of the config found.")
		b.sample(own, strconv.Itoa(r.findings))
	}
	if len(r.rejected) > 0 {
		b.begin("tfr_build_rejected_rows", "Rows that cannot be used, by code.")
		for _, code := range slices.Sorted(maps.Keys(r.rejected)) {
			b.sample(append(own, label{"code", code}), strconv.FormatInt(r.rejected[code], 10))
		}
	}
	return []byte(b.String())
}

// dataset adds what is known of the dataset, after a success.
func (r *runRecord) dataset(b *promText, own labels) {
	if r.result == nil {
		return
	}
	upToDate := "0"
	if r.result.UpToDate {
		upToDate = "1"
	}
	b.begin("tfr_build_up_to_date", "1 if the last run had nothing to do.")
	b.sample(own, upToDate)
	var rows, bytes, shards []int64
	for _, s := range r.result.Manifest.Splits {
		size := int64(0)
		for _, shard := range s.Shards {
			size += shard.Bytes
		}
		rows, bytes, shards = append(rows, s.Records), append(bytes, size), append(shards, int64(len(s.Shards)))
	}
	for _, f := range []struct {
		name, help string
		bySplit    []int64
	}{
		{"tfr_build_rows", "Rows of the dataset, by split.", rows},
		{"tfr_build_bytes", "Bytes of the shards, by split.", bytes},
		{"tfr_build_shards", "Shards of the dataset, by split.", shards},
	} {
		b.begin(f.name, f.help)
		for i, s := range r.result.Manifest.Splits {
			b.sample(append(own, label{"split", s.Name}), strconv.FormatInt(f.bySplit[i], 10))
		}
	}
}

type label struct{ name, value string }

type labels []label

// promText is metrics in the text format: families of gauges, one after another.
type promText struct {
	strings.Builder
	family string
}

func (b *promText) begin(name, help string) {
	b.family = name
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// sample adds a sample to the family.
func (b *promText) sample(list labels, value string) {
	fmt.Fprintf(b, "%s%s %s\n", b.family, list, value)
}

// String is the labels in braces. Their values are UTF-8, with three characters
// escaped.
func (l labels) String() string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var list []string
	for _, one := range l {
		list = append(list, one.name+`="`+escape.Replace(strings.ToValidUTF8(one.value, "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// metricsFile is a file of metrics.
func metricsFile(path string) *sink.Beside {
	return &sink.Beside{Path: path, What: "a file of metrics", Ours: func(head []byte) bool { return bytes.HasPrefix(head, []byte(metricsHead)) }}
}

// write writes what became of the run, which ended with err, to a file of metrics,
// unless that may not stand there.
func (r *runRecord) write(path string, err error, code int) error {
	refused := new(pipeline.AsideError)
	if !r.measured || errors.As(err, &refused) && refused.Path == path {
		return nil
	}
	if _, err := metricsFile(path).Check(store.OS()); err != nil {
		return err
	}
	r.ended, r.code = time.Now(), code
	many, failed := new(pipeline.TooManyError), new(pipeline.ChecksError)
	switch {
	case r.result != nil:
		r.rejected, r.findings = rejected(r.result.Manifest), len(r.result.Manifest.Findings)
	case errors.As(err, &many):
		r.rejected = many.Counts
	case errors.As(err, &failed):
		r.findings = len(failed.Findings)
	}
	before, _ := os.ReadFile(path) // without it there was no success
	prefix := lastSuccess + r.labels().String() + " "
	for line := range strings.Lines(string(before)) {
		if value, found := strings.CutPrefix(line, prefix); found {
			r.before = strings.TrimSpace(value)
		}
	}
	if err := replaceFile(path, r.text()); err != nil {
		return &asideError{path, err}
	}
	return nil
}

// labels are those of every sample.
func (r *runRecord) labels() labels { return labels{{"name", r.name}, {"output", r.output}} }

// concerns notes which dataset the run is about.
func (r *runRecord) concerns(name, output string) {
	absolute, err := filepath.Abs(output)
	if err != nil {
		absolute = ""
	}
	r.name, r.output = name, cmp.Or(absolute, output)
}
