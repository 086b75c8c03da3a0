package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"tfr-build/dataset/provenance"
	"tfr-build/framing"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/webdataset"
)

// The names of files in a dataset, except shards and the files of TFDS.
const (
	ManifestName    = "_tfr/manifest.json"
	ConfigName      = "_tfr/config.yaml"
	StatisticsName  = "_tfr/statistics.json"
	ReaderName      = "_tfr/reader.py"
	TorchReaderName = "_tfr/torch_reader.py" // for PyTorch, or NumPy alone
	InputsName      = "_tfr/inputs"          // for a version that appends
	SummaryName     = "_tfr/summary.json"    // for a version that appends
	RecordsName     = "_tfr/records"         // for a version that appends, and compares its records with the others
	DigestsName     = "_tfr/digests"         // for a version that appends, and compares its rows with the others
	SuccessName     = "_SUCCESS"
)

// ManifestFormat is the version of the manifest's format. It increases when a field changes its
// meaning, or when a field is added that every manifest has.
const ManifestFormat = 1

// A Manifest describes a finished dataset: every file with its digest, and counts of all rows. It
// depends on the config and the input alone.
type Manifest struct {
	Format       int    `json:"format"`        // ManifestFormat
	BytesVersion int    `json:"bytes_version"` // increases if equal inputs give other shards
	Tool         string `json:"tool"`
	Name         string `json:"name"`
	Version      string `json:"version"`
	ConfigDigest string `json:"config_digest"`
	Order        string `json:"order"`
	Seed         uint64 `json:"seed"`
	Record       string `json:"record,omitempty"`  // type of a record; see SetRecords
	Framing      string `json:"framing,omitempty"` // name of a framing.Format; empty for TFRecord
	// of records that are samples: how their features are stored
	Members         webdataset.Sample `json:"members,omitempty"`
	Compression     string            `json:"compression"`      // one of Format.Compressions
	DigestAlgorithm string            `json:"digest_algorithm"` // of shards: xxh128 or sha256
	Zones           string            `json:"zones,omitempty"`  // version of the time zones, such as 2026f, if used
	// digest of the predicate in the statement; empty without one
	Provenance string `json:"provenance,omitempty"`
	// Base is the dataset whose shards this one keeps; nil without one.
	Base   *Base   `json:"base,omitempty"`
	Inputs int64   `json:"inputs"` // files that were read or listed
	Splits []Split `json:"splits"`

	// WithoutSplit counts rows with an unknown split. All of them are rejected.
	WithoutSplit *Counts  `json:"without_split,omitempty"`
	Sources      []Source `json:"sources"`

	// Groups is the number of groups, with `group`. Then splits count records, and sources rows: a row is
	// written if it is in at least one record.
	Groups int64 `json:"groups,omitempty"`

	// Stratified has the rows of each value of the columns that `stratify` of the config names.
	Stratified []Stratified `json:"stratified,omitempty"`

	// Joins has the matches of each join of the sources.
	Joins []Join `json:"joins,omitempty"`

	// Warnings are about input that is used although it may be a mistake.
	Warnings []Warning `json:"warnings,omitempty"`

	// Equal counts the records that are equal to others; nil if all differ, or without statistics.
	Equal *EqualRecords `json:"equal,omitempty"`

	// Findings are the results of the config's checks.
	Findings []Finding `json:"findings,omitempty"`

	// Classes has the class names of the features that have some, in the order of their keys.
	Classes []ClassList `json:"classes,omitempty"`

	// Files lists the files except shards and what Unlisted returns, sorted by name.
	Files []FileEntry `json:"files"`
}

// A Base identifies another version of a dataset.
type Base struct {
	Version string `json:"version"`
	Digest  string `json:"digest"` // of its manifest
}

// SetRecords sets Record and Framing.
func (m *Manifest) SetRecords(message schema.Message, f *framing.Format) {
	m.Record, m.Framing = "", f.Stored()
	if message != schema.ImpliedMessage(f.Message) {
		m.Record = message.Word()
	}
}

// Records returns the type of records and the framing of the shards. The manifest must be valid.
func (m *Manifest) Records() (schema.Message, *framing.Format) {
	f, _ := framing.ByStored(m.Framing)
	if message, ok := schema.ParseMessage(m.Record); ok {
		return message, f
	}
	return schema.ImpliedMessage(f.Message), f
}

// Counts are numbers of rows. Each row that was found is written, rejected, or skipped.
type Counts struct {
	Found    int64            `json:"found"`
	Written  int64            `json:"written"`
	Rejected map[string]int64 `json:"rejected"`           // by error code; codes that occurred
	Skipped  map[string]int64 `json:"left_out,omitempty"` // by rule; rules that skipped rows
}

// Add adds other counts.
func (c *Counts) Add(others Counts) {
	c.Found, c.Written = c.Found+others.Found, c.Written+others.Written
	c.Rejected, c.Skipped = sums(c.Rejected, others.Rejected), sums(c.Skipped, others.Skipped)
}

// sums returns the sums of two maps of counts; nil if both are empty.
func sums(a, b map[string]int64) map[string]int64 {
	if len(a)+len(b) == 0 {
		return nil
	}
	all := maps.Clone(a)
	if all == nil {
		all = map[string]int64{}
	}
	for key, n := range b {
		all[key] += n
	}
	return all
}

// A Split has the rows and shards of a split. In its Skipped only SkippedByLimit occurs, because
// other rules skip rows before they are assigned to a split.
type Split struct {
	Name string `json:"name"`
	Counts
	Records int64              `json:"records"`           // sum over the shards
	Content Content            `json:"content,omitzero"`  // sum over the shards
	Dropped map[string]Dropped `json:"dropped,omitempty"` // by feature; features that miss values
	Shards  []Shard            `json:"shards"`
}

// A Stratified is what `stratify` did to the rows of the sources with one `split`. Rows that were
// rejected after their split was known are included.
type Stratified struct {
	Column string   `json:"column"`
	By     string   `json:"by,omitempty"` // column whose equal values stay together
	Splits []string `json:"splits"`
	Strata int      `json:"strata"` // number of values
	Few    int      `json:"few"`    // values with fewer rows than splits

	// Values are the most frequent values; nil if the config hides values.
	Values []Stratum `json:"values,omitempty"`
}

// A Stratum is a value and its rows. With By, all rows of a group count for the value that most of them
// have.
type Stratum struct {
	Value string  `json:"value"` // quoted and perhaps shortened; without quotes for missing values
	Rows  []int64 `json:"rows"`  // by split
}

// A Shard is a file of records.
type Shard struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`  // size of the file
	CRC32C  string `json:"crc32c"` // of the file, as 8 hex digits
	Digest  string `json:"digest"` // of the file, in hex

	// Content is zero without records, and in manifests before bytes version 9.
	Content Content `json:"content,omitzero"`

	PayloadBytes int64 `json:"-"` // sum of the payload sizes, for Info
}

// A Source is a source of the config.
type Source struct {
	Index int    `json:"index"` // in the config, from 0
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Counts
	BlankLines int64 `json:"blank_lines"` // blank lines, which are not rows
}

// A Warning is about the config, or about input that is used although it may be a mistake. A build
// prints it.
type Warning struct {
	Code    string `json:"code,omitempty"`    // of docs/reference/errors.md
	Source  *int   `json:"source,omitempty"`  // index of the source; nil if it is not about one source
	Column  string `json:"column,omitempty"`  // of the source
	Feature string `json:"feature,omitempty"` // key
	Text    string `json:"text"`              // a sentence without the code and the source
}

// Line returns the warning as a line of a log. at is the position of its source in the config.
func (w *Warning) Line(at string) string {
	text := w.Text
	if w.Source != nil && at != "" {
		text = at + ": " + text
	}
	if w.Code != "" {
		text += " [" + w.Code + "]"
	}
	return text
}

// EqualRecords counts records with the same bytes.
type EqualRecords struct {
	Records int64            `json:"records"`          // without one of each
	Shared  map[string]int64 `json:"shared,omitempty"` // by split: those that are equal to a record of another split
	About   bool             `json:"about,omitempty"`  // the counts are estimates, from a sample of the records
}

// Texts returns the sentences about the records of a dataset: all, and those that splits share.
func (e *EqualRecords) Texts(m *Manifest) (equal, shared string) {
	all := int64(0)
	for _, s := range m.Splits {
		all += s.Records
	}
	about := func(n int64) string {
		if e.About {
			return fmt.Sprintf("about %d", n)
		}
		return strconv.FormatInt(n, 10)
	}
	verb := " are"
	if e.Records == 1 {
		verb = " is"
	}
	equal = about(e.Records) + " of " + plural.Of(all, "record") + verb + " equal to another one"
	var splits []string
	for _, s := range m.Splits {
		if n := e.Shared[s.Name]; n > 0 {
			splits = append(splits, about(n)+" of "+s.Name)
		}
	}
	if len(splits) > 0 {
		shared = "records that another split has, too: " + strings.Join(splits, ", ")
	}
	return equal, shared
}

// A Finding is a property of the data that violates a check of the config.
type Finding struct {
	Check   string `json:"check"`
	Feature string `json:"feature,omitempty"` // key of the feature; empty for the dataset
	Split   string `json:"split,omitempty"`
	Found   string `json:"found"`
	Limit   string `json:"limit"`
	Text    string `json:"text"`
}

// A FileEntry describes a file of the dataset.
type FileEntry struct {
	Name   string `json:"name"` // relative, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A File is a file of the dataset with its content.
type File struct {
	Name string // relative to the dataset's directory, with slashes
	Data []byte
}

// Bytes returns the content of the manifest's file: JSON, indented by two spaces. Equal manifests
// have equal bytes.
func (m *Manifest) Bytes() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m.normalized()); err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	return b.Bytes(), nil
}

// normalized returns a copy with empty lists and maps in place of nil, so that JSON has one form
// for both.
func (m *Manifest) normalized() *Manifest {
	n := *m
	n.Splits = append([]Split{}, m.Splits...)
	for i := range n.Splits {
		n.Splits[i].Counts = n.Splits[i].normalized()
		n.Splits[i].Shards = append([]Shard{}, n.Splits[i].Shards...)
	}
	n.Sources = append([]Source{}, m.Sources...)
	for i := range n.Sources {
		n.Sources[i].Counts = n.Sources[i].normalized()
	}
	if m.WithoutSplit != nil {
		c := m.WithoutSplit.normalized()
		n.WithoutSplit = &c
	}
	n.Files = append([]FileEntry{}, m.Files...)
	return &n
}

func (c Counts) normalized() Counts {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	return c
}

// ParseManifest parses a manifest. It accepts exactly the output of [Manifest.Bytes], with
// consistent names and counts. Any other manifest is an error.
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
	// Only the canonical spelling is valid. So an edit that decodes to equal values is an error,
	// and nothing that the decoder ignores can hide in a manifest.
	canonical, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(canonical, data) {
		return nil, fmt.Errorf("the manifest was edited: at byte %d it is not as it was written",
			firstDifference(canonical, data))
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

// ManifestDigest returns the SHA-256 of a manifest's file in hex. The file SuccessName has it,
// followed by a newline.
func ManifestDigest(manifest []byte) string {
	sum := sha256.Sum256(manifest)
	return hex.EncodeToString(sum[:])
}

// SuccessSize is the size of the file SuccessName.
const SuccessSize = 2*sha256.Size + 1

// successText returns the content of the file SuccessName for a manifest's file.
func successText(manifest []byte) []byte {
	return []byte(ManifestDigest(manifest) + "\n")
}

// Unlisted returns the names of the files that have the digest of the manifest, and the manifest itself.
func (m *Manifest) Unlisted() []string {
	if m.Provenance == "" {
		return []string{ManifestName, SuccessName}
	}
	return []string{ManifestName, provenance.Name, SuccessName}
}

// Entries returns sorted manifest entries for files, and for more files that are already written.
func Entries(files []File, more ...FileEntry) []FileEntry {
	entries := append(make([]FileEntry, 0, len(files)+len(more)), more...)
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		entries = append(entries, FileEntry{f.Name, int64(len(f.Data)), hex.EncodeToString(sum[:])})
	}
	sortEntries(entries)
	return entries
}

// Seal completes a dataset. It checks m, which must list all other files, and returns the
// manifest's file and SuccessName. Write them last and in this order.
func (m *Manifest) Seal() ([]File, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	data, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	return []File{{ManifestName, data}, {SuccessName, successText(data)}}, nil
}
