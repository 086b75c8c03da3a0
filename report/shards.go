package report

import (
	"html/template"
	"slices"
	"strconv"

	"tfr-build/dataset"
)

// maxShards is how many shards are drawn, each for itself; of more, neighbours of a
// split are one column as high as the largest of them.
const maxShards = 600

// A shardsView is the section of the shards.
type shardsView struct {
	Chart  template.HTML
	Width  int
	Label  string
	Note   string
	Splits []shardsOfSplit
}

// A shardsOfSplit is a row of its table.
type shardsOfSplit struct {
	Split                                             splitView
	Shards, Records, Bytes, Smallest, Median, Largest string
}

func viewShards(m *dataset.Manifest) shardsView {
	var v shardsView
	var all int
	for i, s := range m.Splits {
		all += len(s.Shards)
		if i >= maxBarSplits {
			continue
		}
		var sizes []int64
		var bytes int64
		for _, f := range s.Shards {
			sizes = append(sizes, f.Bytes)
			bytes += f.Bytes
		}
		row := shardsOfSplit{Split: splitView{Name: clean(s.Name, maxName), Color: color(i)},
			Shards: Grouped(int64(len(sizes))), Records: Grouped(s.Records), Bytes: size(bytes)}
		if slices.Sort(sizes); len(sizes) > 0 {
			row.Smallest, row.Median, row.Largest = size(sizes[0]), size(sizes[len(sizes)/2]), size(sizes[len(sizes)-1])
		}
		v.Splits = append(v.Splits, row)
	}
	each := (all + maxShards - 1) / maxShards
	if each > 1 {
		v.Note = "A column is " + strconv.Itoa(each) + " shards, as high as the largest of them."
	}
	v.Chart, v.Width = shardChart(m, max(each, 1))
	v.Label = "Sizes of " + count(int64(all), "shard") + ", in the order of their numbers"
	return v
}

const (
	shardHeight = 48 * tenth
	shardsWidth = 1130 * tenth
)

// shardChart draws a column for each shards of a split, and returns the width of
// the drawing in pixels.
func shardChart(m *dataset.Manifest, each int) (template.HTML, int) {
	var largest int64
	columns := 0
	for _, s := range m.Splits {
		columns += (len(s.Shards) + each - 1) / each
		for _, f := range s.Shards {
			largest = max(largest, f.Bytes)
		}
	}
	step := min(shardsWidth/max(columns, 1), 20*tenth)
	var dst []byte
	x := 0
	for i, s := range m.Splits {
		dst = append(dst, `<path class="b s`...)
		dst = strconv.AppendInt(dst, int64(color(i)), 10)
		dst = append(dst, `" stroke-width="`...)
		dst = appendTenths(dst, max(step*4/5, 1))
		dst = append(dst, `" d="`...)
		for group := range slices.Chunk(s.Shards, each) {
			var high int64
			for _, f := range group {
				high = max(high, f.Bytes)
			}
			dst = appendColumn(dst, x+step/2, shardHeight,
				max(scaled(float64(high), float64(largest), shardHeight), tenth))
			x += step
		}
		dst = append(dst, `"/>`...)
	}
	return template.HTML(dst), max(x/tenth, 1)
}

// appendColumn appends an upright line of a path.
func appendColumn(dst []byte, x, bottom, height int) []byte {
	dst = append(dst, 'M')
	dst = appendTenths(dst, x)
	dst = append(dst, ' ')
	dst = appendTenths(dst, bottom)
	dst = append(dst, 'V')
	return appendTenths(dst, bottom-height)
}
