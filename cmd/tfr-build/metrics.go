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

// metricsHead is the first line of a metrics file. A file with another first line is not replaced.
const metricsHead = "# tfr-build metrics, as node_exporter's textfile collector reads them\n"

const lastSuccess = "tfr_build_last_success_timestamp_seconds"

// A runRecord has the facts about a run for its metrics.
type runRecord struct {
	hasMetrics   bool   // the metrics file may be replaced
	name, output string // of the dataset; empty without a config
	began, ended time.Time
	code         int
	result       *pipeline.Result // nil if the run failed
	rejected     map[string]int64 // rows by code
	findings     int              // findings of the checks in the config
	before       string           // time of the last success in the previous file
}

// text returns the record in the text format of Prometheus:
// https://prometheus.io/docs/instrumenting/exposition_formats/
func (r *runRecord) text() []byte {
	var b promText
	b.WriteString(metricsHead)
	own := r.labels()
	seconds := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
	b.beginFamily("tfr_build_last_run_timestamp_seconds", "When the last run ended.")
	b.addSample(own, seconds(r.ended))
	success := r.before
	if r.code == exit.Done {
		success = seconds(r.ended)
	}
	if success != "" {
		b.beginFamily(lastSuccess, "When the last run that succeeded ended.")
		b.addSample(own, success)
	}
	b.beginFamily("tfr_build_exit_code", "The exit code of the last run; 0 is success.")
	b.addSample(own, strconv.Itoa(r.code))
	b.beginFamily("tfr_build_duration_seconds", "How long the last run took.")
	b.addSample(own, strconv.FormatFloat(r.ended.Sub(r.began).Seconds(), 'f', 3, 64))
	r.addDataset(&b, own)
	if r.result != nil || r.findings > 0 {
		b.beginFamily("tfr_build_findings", "Findings of the checks of the config.")
		b.addSample(own, strconv.Itoa(r.findings))
	}
	if len(r.rejected) > 0 {
		b.beginFamily("tfr_build_rejected_rows", "Rows that cannot be used, by code.")
		for _, code := range slices.Sorted(maps.Keys(r.rejected)) {
			b.addSample(append(own, label{"code", code}), strconv.FormatInt(r.rejected[code], 10))
		}
	}
	return []byte(b.String())
}

// addDataset adds the metrics of the dataset, after a success.
func (r *runRecord) addDataset(b *promText, own labels) {
	if r.result == nil {
		return
	}
	upToDate := "0"
	if r.result.UpToDate {
		upToDate = "1"
	}
	b.beginFamily("tfr_build_up_to_date", "1 if the last run had nothing to do.")
	b.addSample(own, upToDate)
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
		b.beginFamily(f.name, f.help)
		for i, s := range r.result.Manifest.Splits {
			b.addSample(append(own, label{"split", s.Name}), strconv.FormatInt(f.bySplit[i], 10))
		}
	}
}

type label struct{ name, value string }

type labels []label

// promText builds metrics in the text format: families of gauges, one after another.
type promText struct {
	strings.Builder
	family string
}

func (b *promText) beginFamily(name, help string) {
	b.family = name
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// addSample adds a sample to the current family.
func (b *promText) addSample(list labels, value string) {
	fmt.Fprintf(b, "%s%s %s\n", b.family, list, value)
}

// String returns the labels in braces. Values are UTF-8, with escapes for three characters.
func (l labels) String() string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var list []string
	for _, one := range l {
		list = append(list, one.name+`="`+escape.Replace(strings.ToValidUTF8(one.value, "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// metricsFile returns the metrics file at a path.
func metricsFile(path string) *sink.Sidecar {
	return &sink.Sidecar{Path: path, What: "a file of metrics",
		IsOwn: func(head []byte) bool { return bytes.HasPrefix(head, []byte(metricsHead)) }}
}

// write writes the metrics of the run, which returned err, to a file, unless the file must not be
// replaced.
func (r *runRecord) write(path string, err error, code int) error {
	refused := new(pipeline.RunFileError)
	if !r.hasMetrics || errors.As(err, &refused) && refused.Path == path {
		return nil
	}
	if _, err := metricsFile(path).Check(store.OS()); err != nil {
		return err
	}
	r.ended, r.code = time.Now(), code
	many, failed := new(pipeline.TooManyError), new(pipeline.ChecksError)
	switch {
	case r.result != nil:
		r.rejected, r.findings = r.result.Manifest.Counts().Rejected, len(r.result.Manifest.Findings)
	case errors.As(err, &many):
		r.rejected = many.Counts
	case errors.As(err, &failed):
		r.findings = len(failed.Findings)
	}
	before, _ := os.ReadFile(path) // a missing file means that no run succeeded before
	prefix := lastSuccess + r.labels().String() + " "
	for line := range strings.Lines(string(before)) {
		if value, found := strings.CutPrefix(line, prefix); found {
			r.before = strings.TrimSpace(value)
		}
	}
	return replaceFile(path, r.text())
}

// labels returns the labels of every sample.
func (r *runRecord) labels() labels { return labels{{"name", r.name}, {"output", r.output}} }

// setDataset sets the dataset that the run is about.
func (r *runRecord) setDataset(name, output string) {
	absolute, err := filepath.Abs(output)
	if err != nil {
		absolute = ""
	}
	r.name, r.output = name, cmp.Or(absolute, output)
}
