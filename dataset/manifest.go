package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// The files of a dataset that are neither shards nor named by TFDS.
const (
	ManifestName    = "_tfr/manifest.json"
	ConfigName      = "_tfr/config.yaml"
	StatisticsName  = "_tfr/statistics.json"
	ReaderName      = "_tfr/reader.py"
	TorchReaderName = "_tfr/torch_reader.py" // reads it with PyTorch, or NumPy alone
	SuccessName     = "_SUCCESS"
)

// ManifestFormat is the number of the manifest's own form. It is raised when
// a field changes its meaning, or one is added that every manifest has.
const ManifestFormat = 1

// A Manifest says what a finished dataset holds: every file with its digest,
// and where every row that was found has gone. It depends on the config and
// the input alone.
type Manifest struct {
	Format          int     `json:"format"`        // ManifestFormat
	BytesVersion    int     `json:"bytes_version"` // raised when equal inputs give other shards
	Tool            string  `json:"tool"`
	Name            string  `json:"name"`
	Version         string  `json:"version"`
	ConfigDigest    string  `json:"config_digest"`
	Order           string  `json:"order"`
	Seed            uint64  `json:"seed"`
	Record          string  `json:"record,omitempty"`  // what a payload is; see SetRecords
	Framing         string  `json:"framing,omitempty"` // what is around it: empty, ofrecord or array_record
	Compression     string  `json:"compression"`       // as tfrecord.ParseCompression takes it, or that of arrayrecord
	DigestAlgorithm string  `json:"digest_algorithm"`  // of the shards: xxh128 or sha256
	Zones           string  `json:"zones,omitempty"`   // the release of the time zones, such as 2026f, where dates are of one
	Inputs          int64   `json:"inputs"`            // files that were read or listed
	Splits          []Split `json:"splits"`

	// WithoutSplit counts rows whose split could not be told: all rejected.
	WithoutSplit *Counts  `json:"without_split,omitempty"`
	Sources      []Source `json:"sources"`

	// Warnings are about columns that no row has.
	Warnings []Warning `json:"warnings,omitempty"`

	// Findings are what the config's checks found.
	Findings []Finding `json:"findings,omitempty"`

	// Files are the files beside the shards, in the order of their names,
	// without the manifest itself and SuccessName.
	Files []FileEntry `json:"files"`
}

// recordNames are the values of Manifest.Record. A manifest of Examples has none,
// and neither has one of OFRecords, which Manifest.Framing tells.
var recordNames = map[schema.Message]string{
	schema.SequenceMessage:    "sequence",
	schema.JSONExampleMessage: "json_example",
	schema.JSONMessage:        "json",
	schema.TextMessage:        "text",
	schema.BytesMessage:       "bytes",
}

// SetRecords notes what the records of the shards are.
func (m *Manifest) SetRecords(message schema.Message, framing tfrecord.Framing) {
	m.Record, m.Framing = recordNames[message], ""
	if framing != tfrecord.TFRecord {
		m.Framing = framing.String()
	}
}

// Records says what the records of the shards are, of a manifest that was parsed.
func (m *Manifest) Records() (schema.Message, tfrecord.Framing) {
	framing := tfrecord.TFRecord
	switch m.Framing {
	case tfrecord.OFRecord.String():
		return schema.OFRecordMessage, tfrecord.OFRecord
	case tfrecord.ArrayRecord.String():
		framing = tfrecord.ArrayRecord
	}
	for message, name := range recordNames {
		if name == m.Record {
			return message, framing
		}
	}
	return schema.ExampleMessage, framing
}

// Counts say what became of rows: each one found is written, rejected or left out.
type Counts struct {
	Found    int64            `json:"found"`
	Written  int64            `json:"written"`
	Rejected map[string]int64 `json:"rejected"`           // by code; only codes that occurred
	LeftOut  map[string]int64 `json:"left_out,omitempty"` // by the rule of the config; only rules that left rows out
}

// A Split is one split: its rows and its shards. Of the rules only LeftByLimit leaves out
// rows of a split: who is left out by another has none.
type Split struct {
	Name string `json:"name"`
	Counts
	Records int64              `json:"records"`           // the sum over the shards
	Dropped map[string]Dropped `json:"dropped,omitempty"` // by feature; only features that lack something
	Shards  []Shard            `json:"shards"`
}

// A Shard is one file of records.
type Shard struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`  // of the file, as it is
	CRC32C  string `json:"crc32c"` // of the file: 8 hex digits
	Digest  string `json:"digest"` // of the file, in hex
}

// A Source is one source of the config.
type Source struct {
	Index int    `json:"index"` // its place in the config, from 0
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Counts
	BlankLines int64 `json:"blank_lines"` // which are no rows
}

// A Warning is about a column of a source that was asked for, and that no row has.
type Warning struct {
	Source int    `json:"source"` // its index
	Column string `json:"column"`
	Text   string `json:"text"`
}

// A Finding is something of the data that is not as the config expects.
type Finding struct {
	Check   string `json:"check"`
	Feature string `json:"feature,omitempty"` // its key; empty where it is about the dataset
	Split   string `json:"split,omitempty"`
	Found   string `json:"found"`
	Limit   string `json:"limit"`
	Text    string `json:"text"`
}

// A FileEntry is one file beside the shards.
type FileEntry struct {
	Name   string `json:"name"` // with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A File is a file of the dataset with its content.
type File struct {
	Name string // relative to the dataset's directory, with slashes
	Data []byte
}

// Bytes returns the manifest's file: JSON, indented by two, the same for the
// same manifest.
func (m *Manifest) Bytes() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m.normal()); err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	return b.Bytes(), nil
}

// normal returns m with empty lists and maps in the place of nil ones, so that
// JSON has one form for each.
func (m *Manifest) normal() *Manifest {
	n := *m
	n.Splits = append([]Split{}, m.Splits...)
	for i := range n.Splits {
		n.Splits[i].Counts = n.Splits[i].normal()
		n.Splits[i].Shards = append([]Shard{}, n.Splits[i].Shards...)
	}
	n.Sources = append([]Source{}, m.Sources...)
	for i := range n.Sources {
		n.Sources[i].Counts = n.Sources[i].normal()
	}
	if m.WithoutSplit != nil {
		c := m.WithoutSplit.normal()
		n.WithoutSplit = &c
	}
	n.Files = append([]FileEntry{}, m.Files...)
	return &n
}

func (c Counts) normal() Counts {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	return c
}

// ParseManifest returns the manifest in data. It takes exactly what
// [Manifest.Bytes] writes, and only when names and sums agree: a manifest that
// somebody wrote or edited otherwise is an error.
func ParseManifest(data []byte) (*Manifest, error) {
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("decoding the manifest: %w", err)
	}
	if m.Format != ManifestFormat {
		return nil, fmt.Errorf("the manifest has format %d; this program knows %d", m.Format, ManifestFormat)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	// Only one spelling is a manifest: an edit that decodes to the same is found,
	// too, and nothing that the decoder ignores can hide in it.
	canonical, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(canonical, data) {
		return nil, fmt.Errorf("the manifest was edited: at byte %d it is not as it was written", firstDifference(canonical, data))
	}
	return &m, nil
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// ManifestDigest returns the SHA-256 of a manifest's file, in hex. It is what
// the file SuccessName holds, followed by a newline.
func ManifestDigest(manifest []byte) string {
	sum := sha256.Sum256(manifest)
	return hex.EncodeToString(sum[:])
}

// Success returns the content of the file SuccessName that goes with the
// manifest's file.
func Success(manifest []byte) []byte {
	return []byte(ManifestDigest(manifest) + "\n")
}

// Entries lists files for the manifest, and more that are written already.
func Entries(files []File, more ...FileEntry) []FileEntry {
	entries := append(make([]FileEntry, 0, len(files)+len(more)), more...)
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		entries = append(entries, FileEntry{f.Name, int64(len(f.Data)), hex.EncodeToString(sum[:])})
	}
	sortEntries(entries)
	return entries
}

// Seal completes a dataset: it checks m, which lists all other files, and
// returns the manifest's file and SuccessName's, to be written last and in
// this order.
func (m *Manifest) Seal() ([]File, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	data, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	return []File{{ManifestName, data}, {SuccessName, Success(data)}}, nil
}
