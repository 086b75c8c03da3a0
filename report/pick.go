package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/internal/bug"
	"tfr-build/message"
	"tfr-build/statistics"
	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

// DefaultThumbs is how many images a page has.
const DefaultThumbs = 24

// A ShardFile is an open shard.
type ShardFile interface {
	io.ReaderAt
	io.Closer
}

// What reading a dataset for images costs at most.
const (
	maxHeads      = 1 << 17     // records that are passed by their heads
	maxRecord     = 64 << 20    // bytes of one that is read
	maxSample     = 16 << 20    // the same of an archive, whose reader takes several times as much
	maxShardsRead = 12          // of a split
	maxPixels     = 120_000_000 // that are decoded: about a second
	minThumbs     = 4           // of a split, however large its images are
	maxSkips      = 3           // records for each thumbnail, if their class has its share already
)

// Thumbnails makes about n thumbnails of the images of a finished dataset. open opens a
// shard by its name in the manifest. A document without images gives nil. shown has
// the key of the feature that says what an image shows, or else it is the first one with classes,
// and the features with boxes.
//
// Which records they are of depends on the dataset alone: the first split has half
// of them, the others share the rest; a split takes as many of each of its shards,
// the first records where the order is shuffled, and of each class about as many; else records
// at equal distances. There
// are fewer where images are so large that decoding them would take long. An image that
// cannot be decoded is a Thumb without image. An error is the error of a shard that cannot be
// read, or is damaged.
func Thumbnails(open func(name string) (ShardFile, error), m *dataset.Manifest, d *statistics.Document, shown *Shown,
	n int) ([]Thumb, error) {
	p, ok := newPicker(m, d, shown)
	if !ok {
		return nil, nil
	}
	err := p.makeAll(open, m, n)
	p.making.Wait()
	if failed := p.failed.Load(); failed != nil {
		err = cmp.Or(err, error(failed))
	}
	if err != nil {
		return nil, err
	}
	var thumbs []Thumb
	for _, t := range p.thumbs {
		thumbs = append(thumbs, *t)
	}
	new(Scratch).fit(thumbs, thumbBytes(len(d.Features)))
	return thumbs, nil
}

// makeAll makes images of all splits.
func (p *picker) makeAll(open func(name string) (ShardFile, error), m *dataset.Manifest, n int) error {
	records := make([]int64, len(m.Splits))
	for i := range m.Splits {
		records[i] = m.Splits[i].Records
	}
	for i, want := range quotas(records, n) {
		p.pixels, p.made, p.byClass = maxPixels*int64(want)/int64(n), 0, map[string]int{}
		p.mostOfClass = max(want/max(len(p.labels.names), 1), 1)
		if err := p.makeSplit(open, &m.Splits[i], want); err != nil {
			return err
		}
	}
	return nil
}

// quotas is how many images each split has, of n.
func quotas(records []int64, n int) []int {
	quotas := make([]int, len(records))
	var filled []int
	for i, r := range records {
		if r > 0 {
			filled = append(filled, i)
		}
	}
	for k, i := range filled {
		switch {
		case len(filled) == 1:
			quotas[i] = n
		case k == 0:
			quotas[i] = n / 2
		default:
			quotas[i] = (n - n/2) / (len(filled) - 1)
		}
	}
	return quotas
}

// A picker reads records, of which makers make thumbnails alongside.
type picker struct {
	kind        message.Kind
	format      *framing.Format
	compression tfrecord.Compression // of complete shards
	members     webdataset.Sample    // of records that are samples
	shuffled    bool
	image       string // the key of the images
	boxes       BoxList
	labels      labelKeys
	heads       int64 // that may still be passed
	pixels      int64 // that may still be decoded, for this split
	made        int   // images of this split
	byClass     map[string]int
	mostOfClass int   // images of this split, unless skips is 0
	skips       int64 // records of this shard that may still be skipped
	record      []byte
	thumbs      []*Thumb
	idle        chan *maker // those that are not at work
	making      sync.WaitGroup
	failed      atomic.Pointer[bug.Error] // the first panic of a maker
}

// mostMakers bounds the memory that decoding takes.
const mostMakers = 4

// A maker makes one image after the other.
type maker struct {
	image   []byte
	scratch Scratch
}

// newPicker returns false if no feature has images.
func newPicker(m *dataset.Manifest, d *statistics.Document, shown *Shown) (p *picker, ok bool) {
	p = &picker{shuffled: m.Order == "shuffled", heads: maxHeads,
		idle: make(chan *maker, min(runtime.GOMAXPROCS(0), mostMakers))}
	for range cap(p.idle) {
		p.idle <- new(maker)
	}
	record, format := m.Records()
	p.format, p.compression, p.members = format, format.FileCompression(m.Compression), m.Members
	if p.kind = record.WireKind(); p.kind == message.None { // no message has the image
		return nil, false
	}
	for i := range d.Features {
		if d.Features[i].Kind == statistics.Image && !ok {
			p.image, ok = d.Features[i].Key, true
		}
	}
	p.boxes = findBoxes(d, shown.Boxes, p.image)
	p.labels = findLabels(d, shown.By)
	return p, ok
}

// makeSplit makes images of a split: as many of each of some shards, which are spread
// over all.
func (p *picker) makeSplit(open func(string) (ShardFile, error), s *dataset.Split, want int) error {
	var filled []*dataset.Shard
	for i := range s.Shards {
		if s.Shards[i].Records > 0 {
			filled = append(filled, &s.Shards[i])
		}
	}
	shards := min(len(filled), want, maxShardsRead)
	for i := range shards {
		if p.enough() {
			break
		}
		shard := filled[i*len(filled)/shards]
		some := min(int64((i+1)*want/shards-i*want/shards), shard.Records)
		if err := p.shard(open, s.Name, shard, some); err != nil {
			return fmt.Errorf("reading images of %s: %w", shard.Name, err)
		}
	}
	return nil
}

func (p *picker) shard(open func(string) (ShardFile, error), split string, s *dataset.Shard, want int64) error {
	f, err := open(s.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	if p.skips = 0; p.shuffled && len(p.labels.names) > 0 {
		p.skips = maxSkips * want
	}
	file := io.NewSectionReader(f, 0, s.Bytes)
	switch {
	case p.format.Open != nil:
		return p.open(file, split, s, want)
	case p.format.IsFrames && p.compression == tfrecord.None:
		return p.makeSpread(file, split, s, want)
	}
	return p.makeFirst(file, split, s, want)
}

// distance is how far records are from each other of which images are made.
func (p *picker) distance(s *dataset.Shard, want int64) int64 {
	if p.shuffled {
		return 1
	}
	return max(min(s.Records, p.heads/2)/want, 1)
}

// enough reports whether a split has cost enough.
func (p *picker) enough() bool { return p.pixels <= 0 && p.made >= minThumbs }

// makeFirst makes images of the first records of a shard that is compressed, or not just frames: what
// comes before a record has to be read to get there. It reads none if most are probably too long.
func (p *picker) makeFirst(file io.Reader, split string, s *dataset.Shard, want int64) error {
	most := int64(maxRecord)
	if p.format.HasSamples {
		most = maxSample
	}
	if s.Bytes/s.Records > most {
		p.pass(split, s, 0)
		return nil
	}
	r := p.format.NewReader(file, framing.ReadOptions{File: s.Name, Compression: p.compression, Sample: p.members,
		MaxRecord: most})
	for i := int64(0); want > 0 && i < s.Records && !p.enough(); i++ {
		payload, err := r.Next()
		if e, ok := errors.AsType[*tfrecord.CorruptError](err); ok && e.TooLong {
			p.pass(split, s, i)
			return nil // later records would need all of its bytes
		}
		if err != nil {
			return err
		}
		if p.add(split, s, i, payload) {
			want--
		}
	}
	return nil
}

// makeSpread makes images of records of a shard that is not compressed. Records between
// them are passed by what their heads say of their length.
func (p *picker) makeSpread(file io.ReaderAt, split string, s *dataset.Shard, want int64) error {
	apart := p.distance(s, want)
	w := walker{file: file, frames: p.format.Frames}
	for i := int64(0); want > 0 && i < s.Records && !p.enough(); i++ {
		size, err := w.size()
		if err != nil {
			return err
		}
		if i%apart == 0 {
			counts := true
			if size > maxRecord {
				p.pass(split, s, i)
			} else if counts, err = p.read(file, w.at, size, split, s, i); err != nil {
				return err
			}
			if counts {
				want--
			}
		}
		w.at += size
		p.heads--
	}
	return nil
}

// pass shows no image of a record that is too long.
func (p *picker) pass(split string, s *dataset.Shard, number int64) {
	p.thumbs = append(p.thumbs, &Thumb{Split: split, Shard: s.Name, Key: p.image, Record: number})
}

// open makes images of records of a file with a table of offsets, the same as of another that
// is not compressed.
func (p *picker) open(file *io.SectionReader, split string, s *dataset.Shard, want int64) error {
	apart := p.distance(s, want)
	f, err := p.format.Open(file, file.Size(), s.Name)
	if err == nil && f.Records() != s.Records {
		err = fmt.Errorf("it has %d records instead of %d", f.Records(), s.Records)
	}
	for i := int64(0); want > 0 && i < s.Records && err == nil && !p.enough(); i += apart {
		var counts bool
		if counts, err = p.makeOne(f, split, s, i); counts {
			want--
		}
		p.heads -= apart
	}
	return err
}

// makeOne makes a thumbnail of the record that has a number, unless it is skipped.
func (p *picker) makeOne(f framing.File, split string, s *dataset.Shard, number int64) (counts bool, err error) {
	r, err := f.From(number)
	if err != nil {
		return false, err
	}
	payload, err := r.Next()
	switch {
	case err != nil:
		return false, err
	case len(payload) > maxRecord:
		p.pass(split, s, number)
		return true, nil
	}
	return p.add(split, s, number, payload), nil
}

// read makes a thumbnail of the record at an offset, unless it is skipped.
func (p *picker) read(file io.ReaderAt, at, size int64, split string, s *dataset.Shard, number int64) (counts bool,
	err error) {
	p.record = append(p.record[:0], make([]byte, size)...)
	if _, err := file.ReadAt(p.record, at); err != nil {
		return false, err
	}
	payload, ok := p.format.Frames.Payload(p.record)
	if !ok {
		return false, fmt.Errorf("record %d is damaged", number)
	}
	return p.add(split, s, number, payload), nil
}

// add makes a thumbnail of a record, if it has an image. It skips a record of whose class there
// are enough.
func (p *picker) add(split string, s *dataset.Shard, number int64, payload []byte) (counts bool) {
	var image []byte
	images := 0
	boxes, said := boxReader{of: &p.boxes}, label{keys: p.labels}
	take := func(key []byte, f message.Feature) {
		if string(key) == p.image && f.List == message.BytesList && image == nil {
			for b := range f.Bytes() {
				if images++; images == 1 {
					image = b
				}
			}
			return
		}
		boxes.add(string(key), f)
		said.add(string(key), f)
	}
	var isStep bool
	steps := boxReader{of: &p.boxes} // the boxes of the first step, if the image is of one
	message.Walk(p.kind, payload, take, func(key []byte, l message.FeatureList) {
		first := true
		for f := range l.Steps() {
			if first && string(key) == p.image {
				isStep = true
				take(key, f)
			}
			if first {
				steps.add(string(key), f)
			}
			boxes.add(string(key), f)
			first = false
		}
	})
	if isStep {
		boxes = steps
	}
	if image == nil {
		return true
	}
	if p.skips > 0 && p.byClass[said.class] >= p.mostOfClass {
		p.skips--
		return false
	}
	p.byClass[said.class]++
	t, info, err := ReadThumb(image)
	if err == nil {
		t.Boxes = boxes.seen(&info)
	}
	t.Split, t.Shard, t.Key, t.Record = split, s.Name, p.image, number
	t.Class, t.File, t.More = said.class, said.file, images-1
	p.thumbs = append(p.thumbs, &t)
	p.pixels -= int64(t.Width) * int64(t.Height)
	p.made++
	if err != nil {
		return true
	}
	m := <-p.idle
	m.image = append(m.image[:0], image...)
	p.making.Go(func() {
		defer func() { p.idle <- m }()
		defer func() {
			if r := recover(); r != nil { // no other goroutine can recover it
				e := bug.Of(r, "")
				e.Feature = p.image
				p.failed.CompareAndSwap(nil, e)
			}
		}()
		t.JPEG = m.scratch.EncodeJPEG(m.image, &info, &t, ThumbHeight)
	})
	return true
}

// A walker goes from record to record of a shard by their heads.
type walker struct {
	file   io.ReaderAt
	frames tfrecord.Framing
	at     int64
	from   int64 // of the window
	window []byte
	buffer [4096]byte
}

// size is that of the record where the walker is, with its framing.
func (w *walker) size() (int64, error) {
	if w.at < w.from || w.at+tfrecord.HeaderSize > w.from+int64(len(w.window)) {
		n, err := w.file.ReadAt(w.buffer[:], w.at)
		if n == 0 {
			return 0, err
		}
		w.from, w.window = w.at, w.buffer[:n]
	}
	size, ok := w.frames.Size(w.window[w.at-w.from:])
	if !ok {
		return 0, fmt.Errorf("no record begins at byte %d", w.at)
	}
	return int64(size), nil
}
