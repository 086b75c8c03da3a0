package infer

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"path"
	"strings"

	"tfr-build/framing"
	"tfr-build/sources/compress"
	"tfr-build/sources/csv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/tar"
	"tfr-build/tfrecord"
)

// A fileType is what a file is: a source type, and details of it.
type fileType struct {
	// kind is csv, jsonl, json, text, arrays, parquet, tfrecord, tar, zip, or image. It is empty if the
	// file cannot be read.
	kind     string
	what     string          // description of a file that cannot be read
	framing  *framing.Format // framing of records; nil for other kinds
	npz      bool
	document bool   // JSON that is not lines of objects
	head     []byte // its beginning, decompressed
	whole    bool   // head is the complete file
	format   dialect
}

// headSize is the number of bytes that are read to identify a file.
const headSize = 64 << 10

// identify returns the type of the file at path, by its content. The name only decides between
// types of text.
func identify(sys *files.System, path string) (fileType, error) {
	var s fileType
	listed, err := sys.Stat(base(path), path)
	if err != nil {
		return s, &input.Error{Path: path, Err: err}
	}
	if !listed.Regular {
		return s, &input.Error{Path: path, Err: files.ErrNotRegular}
	}
	raw, err := compress.OpenPacked(sys, path, &listed)
	if err != nil {
		return s, err
	}
	defer raw.Close()
	packed, whole, err := readHead(path, raw)
	if err != nil {
		return s, err
	}
	s.head, s.whole = packed, whole
	switch {
	case raw.Codec != compress.Plain:
		st, err := compress.Open(sys, path, &listed)
		if err != nil {
			return s, err
		}
		defer st.Close()
		if s.head, s.whole, err = readHead(path, st); err != nil {
			return s, err
		}
	case tfrecord.Detect(packed) == tfrecord.Zlib && isZlib(packed):
		s.kind, s.framing = "tfrecord", framing.Default()
		return s, nil
	}
	s.detect(strings.ToLower(path))
	return s, nil
}

// readHead reads the beginning of a stream. whole is true if that is the complete stream.
func readHead(path string, r io.Reader) (head []byte, whole bool, err error) {
	head = make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && n < headSize {
		if _, damaged := err.(interface{ Code() string }); !damaged {
			return head[:n], true, nil
		}
	}
	if err != nil {
		err = &input.Error{Path: path, Err: err}
	}
	return head[:n], false, err
}

// isZlib reports whether the data is compressed with zlib and begins with a TFRecord.
func isZlib(packed []byte) bool {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	head := make([]byte, tfrecord.HeaderSize)
	n, _ := io.ReadFull(r, head)
	return tfrecord.IsRecord(head[:n])
}

// detect sets the type of the file that begins with s.head.
func (s *fileType) detect(name string) {
	head := s.head
	switch {
	case bytes.HasPrefix(head, []byte("\x93NUMPY")), isIDX(head):
		s.kind = "arrays"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")) && (strings.HasSuffix(name, ".npz") || bytes.Contains(head[:min(len(head), 200)], []byte(".npy"))):
		s.kind, s.npz = "arrays", true
	case bytes.HasPrefix(head, []byte("PK\x03\x04")) && strings.HasSuffix(name, ".zip"):
		s.kind = "zip"
	case tar.IsArchive(head) && (tar.IsMarked(head) || extension(name) == "tar"):
		s.kind = "tar"
	case isParquet(head):
		s.kind = "parquet"
	case framing.Detect(head, framing.AnySize) != nil:
		s.kind, s.framing = "tfrecord", framing.Detect(head, framing.AnySize)
	case isImageHead(head):
		s.kind = "image"
	default:
		s.detectText(name)
	}
}

// isIDX reports whether head can be the beginning of an IDX file: two zeros, a type, the number of
// axes.
func isIDX(head []byte) bool {
	const axes = 8
	return len(head) >= 8 && head[0] == 0 && head[1] == 0 && bytes.IndexByte([]byte{8, 9, 11, 12, 13, 14}, head[2]) >= 0 && head[3] > 0 && head[3] <= axes
}

// detectText sets the type of a file that is not binary.
func (s *fileType) detectText(name string) {
	ext := extension(name)
	if bad := csv.Mismatch(s.head); bad != nil && bad.Message != "looks like JSON, not CSV" {
		s.what = strings.TrimSuffix(strings.TrimPrefix(bad.Message, "looks like "), ", not CSV")
		return
	}
	s.format = newDialect(s.head, s.whole, ext)
	text := bytes.TrimLeft(bytes.TrimPrefix(s.head, []byte("\xef\xbb\xbf")), " \t\r\n")
	isJSON := ext == "json" || ext == "geojson" || ext == "jsonl" || ext == "ndjson"
	switch {
	case len(text) == 0 && s.whole:
		s.what = "empty"
	case isJSON:
		_, err := jsonl.Start(s.head, s.whole)
		s.kind, s.document = "jsonl", strings.HasSuffix(ext, "json") && ext != "ndjson" && err != nil
		if s.document || ext != "jsonl" && ext != "ndjson" && bytes.Count(bytes.TrimSpace(text), []byte("\n")) == 0 {
			s.kind = "json"
		}
	case bytes.HasPrefix(text, []byte("{")) && beginsObjects(s.head, s.whole):
		s.kind = "jsonl"
	case bytes.IndexByte(s.head, 0) >= 0 && !s.format.isUTF16():
		s.what = "binary data of a kind that is not read"
	case ext == "csv" || ext == "tsv" || ext == "tab" || ext == "psv":
		s.kind = "csv"
	case s.format.columns > 1 && (ext != "txt" && s.format.delimiter == "\t" || s.format.sure):
		s.kind = "csv"
	case s.format.isUTF16() || s.format.latin:
		s.what = "text in " + strings.ToUpper(s.format.encoding.String()) + " without columns; lines of text are read in UTF-8"
	default:
		s.kind = "text"
	}
}

// beginsObjects reports whether head can be the beginning of JSON lines.
func beginsObjects(head []byte, whole bool) bool {
	_, err := jsonl.Start(head, whole)
	text := bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf")
	next := bytes.TrimLeft(text[1:], " \t\r\n")
	return (err == nil || bytes.HasPrefix(next, []byte(`"`))) && len(next) > 0 && (next[0] == '"' || next[0] == '}')
}

// extension returns the extension of a name in lower case, without the extension of compression.
func extension(name string) string {
	return strings.TrimPrefix(path.Ext(compress.AddressName(strings.ToLower(name))), ".")
}
