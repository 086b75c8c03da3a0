package report

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"tfr-build/arrayrecord"
	"tfr-build/dataset"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// How many records the page has of a split, of how many splits and features, and how many
// bytes are read for them at most.
const (
	maxRecordsShown  = 10
	maxRecordSplits  = 4
	maxRecordColumns = 12
	maxRecordBytes   = 1 << 20 // of one record; of a split as much, except for the last one
)

// Records are the first records of a split.
type Records struct {
	Split string
	Rows  [][]dataset.Cell
}

// FirstRecords returns the first records of each split of a finished dataset, with what
// record says of them. open opens a shard by its name in the manifest. Records that are
// too long for a page end the list.
func FirstRecords(open func(name string) (ShardFile, error), m *dataset.Manifest, record *schema.Record) (list []Records, err error) {
	for i := range m.Splits {
		s := &m.Splits[i]
		at := slices.IndexFunc(s.Shards, func(shard dataset.Shard) bool { return shard.Records > 0 })
		if at < 0 || len(list) == maxRecordSplits {
			continue
		}
		first := Records{Split: s.Name}
		if first.Rows, err = firstOf(open, m, &s.Shards[at], record); err != nil {
			return nil, fmt.Errorf("reading the first records of %s: %w", s.Shards[at].Name, err)
		}
		list = append(list, first)
	}
	return list, nil
}

// firstOf returns the first records of a shard.
func firstOf(open func(string) (ShardFile, error), m *dataset.Manifest, s *dataset.Shard, record *schema.Record) (rows [][]dataset.Cell, err error) {
	f, err := open(s.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next, err := payloads(io.NewSectionReader(f, 0, s.Bytes), m, s)
	for size := 0; err == nil && int64(len(rows)) < min(s.Records, maxRecordsShown) && size < maxRecordBytes; {
		var payload []byte
		if payload, err = next(); errors.As(err, new(*tfrecord.CorruptError)) || len(payload) > maxRecordBytes {
			return rows, nil // too long
		}
		if err != nil {
			break
		}
		size += len(payload)
		var cells []dataset.Cell
		if cells, err = dataset.Cells(record, payload); err == nil {
			rows = append(rows, cells)
		}
	}
	return rows, err
}

// payloads returns what reads the payloads of a shard, one after the other.
func payloads(file *io.SectionReader, m *dataset.Manifest, s *dataset.Shard) (next func() ([]byte, error), err error) {
	_, framing := m.Records()
	if framing == tfrecord.ArrayRecord {
		f, err := arrayrecord.OpenFile(file, file.Size(), s.Name)
		if err != nil {
			return nil, err
		}
		r, err := f.From(0)
		if err != nil {
			return nil, err
		}
		return r.Next, nil
	}
	compression, err := tfrecord.ParseCompression(m.Compression)
	if err != nil {
		return nil, err
	}
	return tfrecord.NewReader(file, tfrecord.Options{File: s.Name, Framing: framing, Compression: compression, MaxRecord: maxRecordBytes}).Next, nil
}

// A recordsView is the table of the first records of a split.
type recordsView struct {
	Split splitView
	Keys  []string
	Rows  [][]recordCell
	More  string // features that are not shown
}

// A recordCell is what a record has of a feature.
type recordCell struct {
	Text   string
	IsLong bool // it may have several lines
}

// longCell is from how many bytes on.
const longCell = 32

func viewRecords(p *Page, splits []splitView) (views []recordsView) {
	if !p.Values {
		return nil
	}
	for _, r := range p.Records {
		at := slices.IndexFunc(splits, func(s splitView) bool { return s.Name == clean(r.Split, maxName) })
		if at < 0 || len(r.Rows) == 0 {
			continue
		}
		views = append(views, viewFirst(&r, splits[at], p))
	}
	return views
}

// viewFirst has a column for each feature of some record, in the order of the config.
func viewFirst(r *Records, split splitView, p *Page) recordsView {
	var keys []string
	for _, row := range r.Rows {
		for _, cell := range row {
			keys = append(keys, cell.Key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	slices.SortStableFunc(keys, inConfigOrder(p.Keys))
	v := recordsView{Split: split}
	if more := len(keys) - maxRecordColumns; more > 0 {
		v.More = "and " + count(int64(more), "more feature")
		keys = keys[:maxRecordColumns]
	}
	formats := make([]valueFormat, len(keys))
	for i, key := range keys {
		v.Keys = append(v.Keys, clean(key, maxName))
		formats[i] = p.format(key)
	}
	for _, row := range r.Rows {
		cells := make([]recordCell, len(keys))
		for _, cell := range row {
			if i := slices.Index(keys, cell.Key); i >= 0 {
				text := clean(formats[i].text(cell.Text), maxPhrase)
				cells[i] = recordCell{text, len(text) >= longCell}
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}
