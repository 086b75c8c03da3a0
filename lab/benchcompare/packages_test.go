package main

import (
	"slices"
	"testing"
)

func TestMatch(t *testing.T) {
	old := []*pkg{
		{name: "csv", benchmarks: []string{"BenchmarkScan", "BenchmarkGone"}},
		{name: "jsonl", benchmarks: []string{"BenchmarkScan", "BenchmarkCut"}},
		{name: "image", benchmarks: []string{"BenchmarkRead"}},
	}
	after := []*pkg{
		{name: "csv", benchmarks: []string{"BenchmarkScan"}},
		{name: "images", benchmarks: []string{"BenchmarkRead", "BenchmarkNew"}},
		{name: "jsonl", benchmarks: []string{"BenchmarkScan"}},
		{name: "lines", benchmarks: []string{"BenchmarkCut"}},
	}
	var got []string
	for _, p := range match(old, after) {
		got = append(got, p.before.name+" "+p.benchmark+" "+p.after.name)
	}
	want := []string{"csv BenchmarkScan csv", "jsonl BenchmarkScan jsonl", "jsonl BenchmarkCut lines",
		"image BenchmarkRead images"}
	if !slices.Equal(got, want) {
		t.Errorf("matched %q", got)
	}
	after = append(after, &pkg{name: "pixels", benchmarks: []string{"BenchmarkRead"}})
	if n := len(match(old, after)); n != len(want)-1 {
		t.Errorf("%d pairs, where one benchmark has two candidates", n)
	}
}
