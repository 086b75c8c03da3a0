package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/framing"
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

	maxRecordThumbs = 12         // of all splits together; a split has no more records than thumbnails
	maxRecordPixels = 40_000_000 // that are decoded for them
)

// RecordThumbHeight is how high the thumbnail of a record is, in pixels.
const RecordThumbHeight = 36

// Records are the first records of a split.
type Records struct {
	Split string
	Rows  []Record
}

// A Record is what a row of the table shows.
type Record struct {
	Cells []dataset.Cell
	Thumb Thumb // of the first image among the cells; without JPEG: none
}

// FirstRecords returns the first records of each split of a finished dataset, with what
// record says of them and a thumbnail of an image that they have. open opens a shard by its
// name in the manifest. Records that are too long for a page end the list.
func FirstRecords(open func(name string) (ShardFile, error), m *dataset.Manifest,
	record *schema.Record) (list []Records, err error) {
	r := recordReader{open: open, manifest: m, record: record, pixels: maxRecordPixels}
	r.thumbs = maxRecordThumbs / max(min(len(m.Splits), maxRecordSplits), 1)
	for i := range m.Splits {
		s := &m.Splits[i]
		at := slices.IndexFunc(s.Shards, func(shard dataset.Shard) bool { return shard.Records > 0 })
		if at < 0 || len(list) == maxRecordSplits {
			continue
		}
		rows, err := r.read(&s.Shards[at])
		if err != nil {
			return nil, fmt.Errorf("reading the first records of %s: %w", s.Shards[at].Name, err)
		}
		list = append(list, Records{s.Name, rows})
	}
	return list, nil
}

// A recordReader reads the first records of shards.
type recordReader struct {
	open     func(name string) (ShardFile, error)
	manifest *dataset.Manifest
	record   *schema.Record
	scratch  Scratch
	thumbs   int // of a split, at most
	pixels   int // that may still be decoded
}

// read returns the first records of a shard.
func (r *recordReader) read(s *dataset.Shard) (rows []Record, err error) {
	f, err := r.open(s.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next := payloads(io.NewSectionReader(f, 0, s.Bytes), r.manifest, s)
	most := min(s.Records, maxRecordsShown)
	for size := 0; err == nil && int64(len(rows)) < most && size < maxRecordBytes; {
		var payload []byte
		if payload, err = next(); errors.As(err, new(*tfrecord.CorruptError)) || len(payload) > maxRecordBytes {
			return rows, nil // too long
		}
		if err != nil {
			break
		}
		size += len(payload)
		var row Record
		if row.Cells, err = dataset.Cells(r.record, payload); err != nil {
			break
		}
		if row.Thumb = r.thumb(row.Cells); len(row.Thumb.JPEG) > 0 {
			most = min(most, int64(r.thumbs))
		}
		for i := range row.Cells {
			row.Cells[i].Bytes = nil // the next record may take their place
		}
		rows = append(rows, row)
	}
	return rows, err
}

// thumb makes a thumbnail of the first image among the cells.
func (r *recordReader) thumb(cells []dataset.Cell) Thumb {
	for i := range cells {
		t, info, err := ReadThumb(cells[i].Bytes)
		if err != nil {
			continue
		}
		if r.pixels -= t.Width * t.Height; r.pixels < 0 {
			return Thumb{}
		}
		t.Key, t.More = cells[i].Key, cells[i].More
		t.JPEG = r.scratch.EncodeJPEG(cells[i].Bytes, &info, &t, RecordThumbHeight)
		return t
	}
	return Thumb{}
}

// payloads returns a function that returns the next payload of a shard.
func payloads(file io.Reader, m *dataset.Manifest, s *dataset.Shard) (next func() ([]byte, error)) {
	_, f := m.Records()
	return f.NewReader(file, framing.ReadOptions{File: s.Name, Compression: f.FileCompression(m.Compression),
		Sample: m.Members, MaxRecord: maxRecordBytes}).Next
}

// A recordsView is the table of the first records of a split.
type recordsView struct {
	Split splitView
	Keys  []recordKey
	Rows  [][]recordCell
	More  string // features that are not shown
}

// A recordKey is the head of a column.
type recordKey struct {
	Name     string
	IsNumber bool // each record has a number, or nothing
}

// A recordCell is what a record has of a feature.
type recordCell struct {
	Text          string
	IsNumber      bool
	IsLong        bool         // it may have several lines
	Src           template.URL // of a thumbnail; empty: none
	Width, Height int          // of the thumbnail
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
		for _, cell := range row.Cells {
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
		v.Keys = append(v.Keys, recordKey{clean(key, maxName), true})
		formats[i] = p.format(key)
	}
	for _, row := range r.Rows {
		cells := slices.Repeat([]recordCell{{Text: none}}, len(keys))
		for _, cell := range row.Cells {
			i := slices.Index(keys, cell.Key)
			if i < 0 {
				continue
			}
			text := clean(formats[i].text(cell.Text), maxPhrase)
			_, err := strconv.ParseFloat(text, 64)
			cells[i] = recordCell{Text: text, IsNumber: err == nil, IsLong: len(text) >= longCell}
			v.Keys[i].IsNumber = v.Keys[i].IsNumber && err == nil
			if t := &row.Thumb; t.Key == cell.Key && len(t.JPEG) > 0 {
				cells[i].Text = strconv.Itoa(t.Width) + " × " + strconv.Itoa(t.Height) + t.more() + ", " + text
				cells[i].Src = source(t.JPEG)
				cells[i].Width, cells[i].Height = smallSize(t.Width, t.Height, RecordThumbHeight)
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}
