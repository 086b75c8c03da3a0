package framing

import (
	"io"
	"slices"
	"strings"

	"tfr-build/message"
	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

// A Format is a row of the table: a file format, and the functions that write and read its files.
// It does not change.
type Format struct {
	// Name is the name in configs and in manifests, such as array_record.
	Name string

	// Title is the name for people, such as ArrayRecord; Files names such files in messages.
	Title, Files string

	// Users are the programs that use the format, for the comment in a config of `init`; empty for
	// the default.
	Users string

	// Filename is the template of shard names if the config has none. Numbers of shards have at least
	// Digits digits.
	Filename string
	Digits   int

	// Extension is a regular expression of the extensions that such files often have.
	Extension string

	// MediaType is the media type of files in Croissant metadata.
	MediaType string

	// Message is the only message that records can be; None if they can be anything.
	Message message.Kind

	// HasChecksums says that reading detects each changed byte of a record. If it is false, a record
	// must fit in memory to be recognized as complete, and its message is checked.
	HasChecksums bool

	// HasSamples says that records are members of an archive, as a webdataset.Sample in the manifest says.
	HasSamples bool

	// Compressions are the compressions in a config, none first.
	Compressions []string

	// CompressesFiles says that a compression applies to the complete file, and that NewReader
	// decompresses it. Otherwise it applies to single records, and the file says which it is.
	CompressesFiles bool

	Writing
	Reading
	Support
}

// Writing is how files of a format are written. Formats without NewBatch cannot be built.
type Writing struct {
	// NewBatch returns a Batch with a compression. The Sample is for a format that has samples.
	NewBatch func(compression string, s webdataset.Sample) (Batch, error)

	// MovesPayload says that Batch.End may move or compress the payload.
	MovesPayload bool

	// NewLayout returns the Layout of a file. It is nil if the bytes of a block do not depend on its
	// offset, and the file has no other bytes.
	NewLayout func(compression string) Layout

	// Tail has the bytes that end a file, before compression. It is empty if a Layout makes them.
	Tail []byte

	// Overhead is about how many bytes a file has for each record besides its payload.
	Overhead int

	// EmptySize is the size of a file without records, in bytes.
	EmptySize int64

	// AppendIndex appends the lines of an index for complete records, which are at offset off of an
	// uncompressed file. It is nil if such files have no index.
	AppendIndex func(dst, records []byte, off int64) []byte

	// IndexBeside says that the index of a file is next to it.
	IndexBeside bool

	// NewWriter returns a Writer of a file.
	NewWriter func(w io.Writer, compression string) (Writer, error)

	// CopyLong adds the next record of from to a Writer, without reading it into memory. It is nil if
	// Readers return no records of more than tfrecord.MaxInMemory bytes.
	CopyLong func(to Writer, from Reader) error

	// CopyStored adds the record that from has returned last to a Writer, as it is stored. It is nil if a
	// payload is all of a record.
	CopyStored func(to Writer, from Reader) error

	// IsForJSON says that `tfr-build write` writes such files.
	IsForJSON bool

	// IsSingle says that a file is one record.
	IsSingle bool
}

// Reading is how files of a format are recognized and read.
type Reading struct {
	// Begins reports whether a file of size bytes that begins with head can be uncompressed and of
	// this format. head has DetectSize bytes, or is the complete file. It is nil if the beginning of a
	// file does not show the format.
	Begins func(head []byte, size int64) bool

	// IsSearched says that a file of an unknown format has this format if a record is found in it.
	IsSearched bool

	// NewReader returns a Reader of the records in r.
	NewReader func(r io.Reader, opt ReadOptions) Reader

	// Frames is the framing of single records in memory.
	Frames tfrecord.Framing

	// IsFrames says that an uncompressed file is nothing but records with the framing Frames. Then
	// NewReader returns a *tfrecord.Reader, and a record can be read at its offset.
	IsFrames bool

	// Open opens a file for reading any record by its number. It is nil if such files have no table
	// of offsets.
	Open func(file io.ReaderAt, size int64, name string) (File, error)

	// CompressionOf returns the compression of the records that a Reader has read. It is nil if
	// records are not compressed one by one.
	CompressionOf func(r Reader) string

	// Resumes says that verify reads on after damage, and so reports all of it.
	Resumes bool
}

// Support is what other tools can do with files of a format.
type Support struct {
	// NoTFDS is why TFDS does not read such files; empty if it does.
	NoTFDS string

	// IsDataSource says that Grain and tfds.data_source read single records of such files.
	IsDataSource bool

	// Torch says that torch_reader.py reads such files, and DALI that NVIDIA DALI does.
	Torch, DALI bool

	// Python is the function _payloads of reader.py, and what it needs. It is empty if readers
	// depend on the message.
	Python string
}

// A Batch frames the records of a block in a buffer. [tfrecord.Batch] has the contract of the
// methods. id is the row ID of a record.
type Batch interface {
	Begin(dst []byte, id uint64) []byte
	End(dst []byte) []byte
	Cancel(dst []byte) []byte
	Seal(buf []byte)
	Reset()
}

// A Layout makes the bytes of a file from its blocks. Its methods are called in the order of the
// file.
type Layout interface {
	// AppendHead appends the first bytes of the file to dst.
	AppendHead(dst []byte) []byte

	// LayOut returns the bytes of a block at offset off, where the bytes before the block end. It may
	// change the block, and use the capacity behind it.
	LayOut(block []byte, off int64) []byte

	// AppendTail appends the last bytes of the file, which begin at offset off, to dst.
	AppendTail(dst []byte, off int64) []byte
}

// A Writer writes records to a stream. Close writes the end of the file.
type Writer interface {
	Write(payload []byte) error
	Close() error
}

// A Reader reads the records of a stream. [tfrecord.Reader] has the contract of the methods. Its
// errors are *[tfrecord.CorruptError], or errors after which nothing can be read.
type Reader interface {
	Length() (int64, error)
	Next() ([]byte, error)
	Copy(w io.Writer) (int64, error)
	Resync() error
	Record() int64
	Offset() int64
	End() int64
}

// ReadOptions are the options of a Reader.
type ReadOptions struct {
	File        string               // file name for errors
	Compression tfrecord.Compression // of the complete file
	Sample      webdataset.Sample    // of the records, if they are samples; nil if unknown

	// MaxRecord is the size of the longest payload, in bytes; 0 means no limit. A format may have a
	// lower limit of its own.
	MaxRecord int64
}

// A File is a file whose records are read in any order.
type File interface {
	Records() int64
	From(record int64) (Reader, error)
}

// FileCompression returns the compression of the complete file for a compression in a config.
func (f *Format) FileCompression(name string) tfrecord.Compression {
	if !f.CompressesFiles {
		return tfrecord.None
	}
	c, _ := tfrecord.ParseCompression(name) // one of f.Compressions
	return c
}

// HasCompression reports whether files of the format can have a compression.
func (f *Format) HasCompression(name string) bool { return slices.Contains(f.Compressions, name) }

// Stored returns the name of the format in a manifest or plan, where the default is empty.
func (f *Format) Stored() string {
	if f == Default() {
		return ""
	}
	return f.Name
}

// All returns the formats that can be built, the default first.
func All() []*Format {
	return slices.DeleteFunc(table(), func(f *Format) bool { return f.NewBatch == nil })
}

// Default returns the format of datasets without the key `format`.
func Default() *Format { return &tfRecord }

// Bare returns the format of a file that is one message, without framing.
func Bare() *Format { return &bare }

// ByName returns the format that can be built with a name.
func ByName(name string) (f *Format, ok bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// ByStored returns the format whose Stored is name.
func ByStored(name string) (f *Format, ok bool) {
	for _, f := range All() {
		if f.Stored() == name {
			return f, true
		}
	}
	return nil, false
}

// ByMessage returns the format of files for messages of a kind.
func ByMessage(kind message.Kind) *Format {
	for _, f := range All() {
		if f.Message == kind && kind != message.None {
			return f
		}
	}
	return Default()
}

// AnySize is the size of a file for Detect if the size is unknown.
const AnySize = 1 << 40

// Detect returns the format of an uncompressed file of size bytes that begins with head; nil if it
// has none of the formats. head has DetectSize bytes, or is the complete file.
func Detect(head []byte, size int64) *Format {
	for _, f := range All() {
		if f.Begins(head, size) {
			return f
		}
	}
	return nil
}

// Extensions returns a regular expression of the extensions that files of records often have.
func Extensions() string {
	var all []string
	for _, f := range All() {
		all = append(all, f.Extension)
	}
	return `(?:` + strings.Join(all, "|") + `)`
}

// A Name is the name of a format in a config.
type Name string

// Words returns the valid names.
func (Name) Words() (words []string) {
	for _, f := range All() {
		words = append(words, f.Name)
	}
	return words
}

// Format returns the format with the name. For an invalid name it returns the default.
func (n Name) Format() *Format {
	if f, ok := ByName(string(n)); ok {
		return f
	}
	return Default()
}
