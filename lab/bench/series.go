package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// What is made for the group of series.
const seriesRows, seriesGroups = 10_000_000, 100_000

// seriesSensors are the columns of a row besides its station and time.
var seriesSensors = []string{"temperature", "humidity", "pressure", "wind", "rain", "light"}

// series races groups of 100 rows each against the same rows, one per record, with two limits of memory,
// and against pandas with TensorFlow's writer.
func (b *bench) series() group {
	const (
		plain, sequences, lists                = "one record per row", "sequences", "lists"
		plainSmall, sequencesSmall, listsSmall = "one record per row, 64MB", "sequences, 64MB", "lists, 64MB"
		pandas                                 = "pandas and TensorFlow"
	)
	small := []string{"-sync=false", "-memory", "64MB"}
	return group{
		name:   "10,000,000 rows in 100,000 series",
		rounds: 5,
		input:  b.makeSeries,
		contenders: []contender{
			b.ours(plain, "series-rows.yaml", "-sync=false"),
			b.ours(sequences, "series-sequences.yaml", "-sync=false"),
			b.ours(lists, "series-lists.yaml", "-sync=false"),
			b.ours(plainSmall, "series-rows.yaml", small...),
			b.ours(sequencesSmall, "series-sequences.yaml", small...),
			b.ours(listsSmall, "series-lists.yaml", small...),
			{name: pandas, once: true, args: scriptBy(b.python, "series_by_pandas.py", b.path("series.csv"), "%s",
				strings.Join(seriesSensors, ","))},
		},
		goals: []goal{
			{of: sequences, to: plain, limit: 2},
			{of: lists, to: plain, limit: 2},
			{of: sequencesSmall, to: plainSmall, limit: 2},
			{of: listsSmall, to: plainSmall, limit: 2},
			{of: sequences, to: plain, told: true, cpu: true},
			{of: pandas, to: sequences, limit: 20, least: true},
			{of: pandas, to: sequences, told: true, cpu: true},
		},
	}
}

const seriesConfig = `name: series
output: out
source: {csv: {files: series.csv}}
%sshards: 8
`

// makeSeries makes a table whose rows are in no order, and the configs, unless they are there.
func (b *bench) makeSeries() error {
	var steps string
	for _, sensor := range seriesSensors {
		steps += "  " + sensor + ": float\n"
	}
	for name, text := range map[string]string{
		"series-rows.yaml": "features:\n  station: int64\n  time: int64\n" + steps,
		"series-sequences.yaml": "record: sequence\ngroup: {by: station, sort: {column: time, type: " +
			"int64}}\ncontext:\n  station: int64\nsequence:\n" + steps,
		"series-lists.yaml": "group: {by: station, sort: {column: time, type: int64}}\nfeatures:\n  station: int64\n" +
			steps,
	} {
		if err := b.write(name, fmt.Sprintf(seriesConfig, text)); err != nil {
			return err
		}
	}
	if _, err := os.Stat(b.path("series.csv")); err == nil {
		return nil
	}
	made := b.path("series.csv.new")
	file, err := os.Create(made)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(w, "station,time,"+strings.Join(seriesSensors, ","))
	r := rand.New(rand.NewPCG(3, 8))
	for i := range seriesRows {
		fmt.Fprintf(w, "%d,%d", r.IntN(seriesGroups), 1_700_000_000+(i*7919)%seriesRows)
		for range seriesSensors {
			fmt.Fprintf(w, ",%.2f", 40*r.Float64()-10)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return os.Rename(made, b.path("series.csv"))
}
