package webdataset

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/internal/tarfile"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// maxMembers is the largest number of members of a record.
const maxMembers = 1 << 20

// Begins reports whether a file that begins with head is an archive.
func Begins(head []byte) bool { return tarfile.IsArchive(head) }

// Options are the options of a Reader.
type Options struct {
	File    string // file name for errors
	IsGzip  bool
	Sample  Sample // nil: each member is a feature of bytes
	MaxSize int64  // of a record, in bytes; 0 means no limit
}

// A Reader reads the samples of an archive as Examples. [tfrecord.Reader] has the contract of its methods.
type Reader struct {
	opt     Options
	rows    tarfile.Grouper
	started bool
	source  io.Reader

	number  int64 // of the next record
	record  int64
	offset  int64
	end     int64
	found   []member
	index   map[string]int // in found, by name
	payload []byte
	pending bool  // Length has read the record
	err     error // what the next call returns
}

// A member is a file of the current record.
type member struct {
	name    string
	content []byte
	isUsed  bool
}

// NewReader returns a Reader of the samples in r. It reads ahead.
func NewReader(r io.Reader, opt Options) *Reader {
	rows := newGrouper(opt.MaxSize)
	rows.Gather = true
	return &Reader{opt: opt, source: r, record: -1, rows: rows, index: map[string]int{}}
}

// newGrouper returns a grouper of records of at most limit bytes; 0 for the largest that can be written.
func newGrouper(limit int64) tarfile.Grouper {
	if limit <= 0 {
		limit = math.MaxInt32
	}
	return tarfile.Grouper{MaxBytes: limit, MaxMembers: maxMembers,
		Long: func(size int64, members int) *schema.RowError {
			return schema.RowErrorf("", -1, "%d bytes in %d members; expected at most %d bytes and %d members",
				size, members, limit, maxMembers)
		}}
}

// Record returns the number of the record that was read last.
func (r *Reader) Record() int64 { return r.record }

// Offset returns the offset of that record in the decompressed archive.
func (r *Reader) Offset() int64 { return r.offset }

// End returns the offset of its end.
func (r *Reader) End() int64 { return r.end }

// Text returns the members of the record that Next has returned as they are stored. It is valid until the next call.
func (r *Reader) Text() []byte { return r.rows.Raw }

// Length returns the size of the next record's Example.
func (r *Reader) Length() (int64, error) {
	if r.err == nil && !r.pending {
		if err := r.read(); err != nil {
			if corrupt, ok := err.(*tfrecord.CorruptError); !ok || !corrupt.Skippable {
				r.err = err
			}
			return 0, err
		}
		r.pending = true
	}
	return int64(len(r.payload)), r.err
}

// Next returns the next record as an Example.
func (r *Reader) Next() ([]byte, error) {
	if _, err := r.Length(); err != nil {
		return nil, err
	}
	r.pending = false
	return r.payload, nil
}

// Copy writes the next record to w.
func (r *Reader) Copy(w io.Writer) (int64, error) {
	payload, err := r.Next()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(payload)
	return int64(n), err
}

// Resync finds the next intact record. Damaged compressed data has none.
func (r *Reader) Resync() error {
	for r.err == nil {
		if _, err := r.Length(); err == nil {
			return nil
		}
	}
	return r.err
}

// start opens the archive.
func (r *Reader) start() error {
	in := r.source
	if r.opt.IsGzip {
		z, err := gzip.NewReader(bufio.NewReader(in))
		if err == io.EOF {
			return io.EOF
		}
		if err != nil {
			return r.corrupt(0, "the compressed data is damaged", err)
		}
		in = z
	}
	r.rows.Start(tarfile.NewStream(in))
	r.started = true
	return nil
}

// read reads the next record.
func (r *Reader) read() error {
	if !r.started {
		if err := r.start(); err != nil {
			return err
		}
	}
	row, err := r.rows.Next()
	switch {
	case err == io.EOF:
		return err
	case err != nil && r.opt.IsGzip:
		return r.corrupt(r.end, "the compressed data is damaged", err)
	case err != nil:
		return fmt.Errorf("reading %s: %w", r.opt.File, err)
	}
	r.record, r.offset, r.end = r.number, row.Offset, row.Offset+row.Size
	r.number++
	if row.Bad != nil {
		e := r.skippable(row.Bad.Message)
		e.TooLong = !row.Bad.Damage
		return e
	}
	if err := r.split(); err != nil {
		return r.skippable(err.Error())
	}
	if err := r.decode(); err != nil {
		return r.skippable(err.Error())
	}
	return nil
}

func (r *Reader) corrupt(offset int64, reason string, err error) error {
	return &tfrecord.CorruptError{File: r.opt.File, Record: r.number, Offset: offset, Reason: reason, Err: err}
}

func (r *Reader) skippable(reason string) *tfrecord.CorruptError {
	return &tfrecord.CorruptError{File: r.opt.File, Record: r.record, Offset: r.offset, Reason: reason, Skippable: true}
}

// split finds the members in the text of the record.
func (r *Reader) split() error {
	r.found = r.found[:0]
	clear(r.index)
	var twice error
	one := newGrouper(0)
	one.Partial = true
	one.Visit = func(m *tarfile.Member, content []byte) *schema.RowError {
		name := string(m.Ext)
		if r.member(name) != nil {
			twice = fmt.Errorf("the record has the member %s twice", strconv.Quote(name))
		}
		r.index[name] = len(r.found)
		r.found = append(r.found, member{name: name, content: content})
		return nil
	}
	one.Start(&tarfile.Mapped{Data: r.rows.Raw})
	_, err := one.Next() // it was read before
	return cmp.Or(twice, err)
}

// member returns the member with a name, or nil.
func (r *Reader) member(name string) *member {
	if i, ok := r.index[name]; ok {
		return &r.found[i]
	}
	return nil
}

// use returns the content of the member with a name.
func (r *Reader) use(name string) (content []byte, ok bool) {
	if m := r.member(name); m != nil {
		m.isUsed = true
		return m.content, true
	}
	return nil, false
}

// decode sets the payload.
func (r *Reader) decode() error {
	var lists []schema.StoredList
	add := func(f *Feature, list []byte) {
		lists = append(lists, schema.StoredList{Key: f.Key, List: f.list(), Values: list})
	}
	addTexts := func(f *Feature, texts ...[]byte) {
		lists = append(lists, schema.StoredList{Key: f.Key, List: message.BytesList, Texts: texts})
	}
	switch {
	case r.opt.Sample != nil:
		for i := range r.opt.Sample {
			if err := r.decodeMember(&r.opt.Sample[i], add, addTexts); err != nil {
				return err
			}
		}
		for _, m := range r.found {
			if !m.isUsed {
				return fmt.Errorf("the dataset has no member %s", strconv.Quote(m.name))
			}
		}
	case len(r.found) == 1 && r.found[0].name == payloadName:
		r.payload = append(r.payload[:0], r.found[0].content...)
		return nil
	default:
		addTexts(&Feature{Key: KeyFeature}, r.rows.Key)
		for _, m := range r.found {
			addTexts(&Feature{Key: m.name}, m.content)
		}
	}
	r.payload = schema.AppendExample(r.payload[:0], lists)
	return nil
}

// decodeMember passes the features of a member.
func (r *Reader) decodeMember(m *Member, add func(f *Feature, list []byte),
	addTexts func(f *Feature, texts ...[]byte)) error {
	f := &Feature{}
	if len(m.Features) > 0 {
		f = &m.Features[0]
	}
	switch {
	case m.As == Key:
		addTexts(f, r.rows.Key)
		return nil
	case m.As == Bytes:
		r.decodeBytes(m, f, addTexts)
		return nil
	}
	content, ok := r.use(m.Name)
	if !ok {
		return nil
	}
	var err error
	switch m.As {
	case Object:
		err = readObject(content, m, add)
	case Array:
		var list []byte
		if list, err = readArray(content, f); err == nil {
			add(f, list)
		}
	default:
		var n int64
		if n, err = strconv.ParseInt(string(content), 10, 64); err != nil {
			err = fmt.Errorf("found %s; expected an integer of 64 bits", schema.Quote(content))
		}
		add(f, protowire.AppendVarint(nil, uint64(n)))
	}
	if err != nil {
		return fmt.Errorf("the member %s: %w", strconv.Quote(m.Name), err)
	}
	return nil
}

// decodeBytes passes the contents of one or several members.
func (r *Reader) decodeBytes(m *Member, f *Feature, add func(f *Feature, texts ...[]byte)) {
	if !f.isList() {
		if content, ok := r.use(r.nameOf(m, "")); ok {
			add(f, content)
		}
		return
	}
	var list [][]byte
	for i := 0; ; i++ {
		content, ok := r.use(r.nameOf(m, strconv.Itoa(i)+"."))
		if !ok {
			break
		}
		list = append(list, content)
	}
	if len(list) > 0 || !f.Omitted {
		add(f, list...)
	}
}

// nameOf returns the name of a member of the record that begins with a number, for images of any format.
func (r *Reader) nameOf(m *Member, number string) string {
	if m.Name != "" {
		return number + m.Name
	}
	for _, name := range imageNames() {
		if name = number + name; r.member(name) != nil && !r.opt.Sample.isOwn(name) {
			return name
		}
	}
	return ""
}
