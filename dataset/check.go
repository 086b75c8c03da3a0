package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/framing"
	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// check returns an error if the manifest contradicts itself.
func (m *Manifest) check() error {
	if err := m.checkRecords(); err != nil {
		return err
	}
	if _, err := NewDigest(m.DigestAlgorithm); err != nil {
		return fmt.Errorf("the manifest's digest_algorithm: %w", err)
	}
	if m.Provenance != "" && (m.DigestAlgorithm != "sha256" || !isSHA256(m.Provenance)) {
		return fmt.Errorf("the manifest has the provenance %q, and digests by %s; expected SHA-256", m.Provenance,
			m.DigestAlgorithm)
	}
	if err := m.checkNames(); err != nil {
		return err
	}
	if err := m.checkClasses(); err != nil {
		return err
	}
	return m.checkCounts()
}

// checkRecords returns an error if record, framing, and compression are unknown or do not fit.
func (m *Manifest) checkRecords() error {
	f, known := framing.ByStored(m.Framing)
	switch {
	case m.Record != "" && !isRecordWord(m.Record):
		return fmt.Errorf("the manifest's record: unknown record %q", m.Record)
	case !known:
		names := framing.Name("").Words()
		names[0] = "none" // the default
		return fmt.Errorf("the manifest's framing: unknown framing %q; expected %s", m.Framing, plural.OneOf(names))
	case f.Message != message.None && m.Record != "":
		return fmt.Errorf("the manifest's framing is %s, whose records cannot be %s", f.Name, m.Record)
	case f.HasSamples != (m.Members != nil):
		return fmt.Errorf("the manifest has %d members for the framing %s", len(m.Members), f.Name)
	case m.Members.Check() != nil:
		return fmt.Errorf("the manifest's members: %w", m.Members.Check())
	case !f.HasCompression(m.Compression):
		return fmt.Errorf("the manifest's compression: unknown compression %q; expected %s", m.Compression,
			plural.OneOf(f.Compressions))
	}
	return nil
}

// isRecordWord reports whether a manifest may name this message. It does not name one that its framing
// implies.
func isRecordWord(word string) bool {
	m, ok := schema.ParseMessage(word)
	return ok && m != schema.DefaultMessage && !m.IsImplied()
}

// A nameSet has the names of files and of the directories that contain them.
type nameSet struct {
	files, dirs map[string]bool
}

// add adds the name of a file. It returns an error if the name leaves the dataset's directory or
// is taken.
func (n *nameSet) add(name string) error {
	if !fs.ValidPath(name) || name == "." || !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\\") {
		return nameError(name)
	}
	if n.files[name] {
		return fmt.Errorf("the manifest lists %q twice", name)
	}
	clash := n.dirs[name]
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		clash = clash || n.files[dir]
		n.dirs[dir] = true
	}
	if clash {
		return fmt.Errorf("the manifest lists %q, which would be a file and a directory", name)
	}
	n.files[name] = true
	return nil
}

// addShard adds the name of a shard. It may be in a directory, but not in a hidden one or in the
// directory of the readers.
func (n *nameSet) addShard(name string) error {
	directory, base, below := strings.Cut(name, "/")
	if below && (strings.Contains(base, "/") || strings.HasPrefix(base, ".") ||
		strings.IndexAny(directory, "._") == 0) {
		return nameError(name)
	}
	return n.add(name)
}

func nameError(name string) error {
	return fmt.Errorf("the manifest lists %q, which is not a valid file name in a dataset", name)
}

// checkNames returns an error unless each file has a name of its own inside the dataset's
// directory.
func (m *Manifest) checkNames() error {
	names := nameSet{files: map[string]bool{}, dirs: map[string]bool{}}
	for _, name := range m.Unlisted() {
		if err := names.add(name); err != nil {
			return err
		}
	}
	splits := map[string]bool{}
	for _, s := range m.Splits {
		if splits[s.Name] {
			return fmt.Errorf("the manifest lists the split %q twice", s.Name)
		}
		splits[s.Name] = true
		for _, shard := range s.Shards {
			if err := names.addShard(shard.Name); err != nil {
				return err
			}
		}
	}
	for _, f := range m.Files {
		if err := names.add(f.Name); err != nil {
			return err
		}
	}
	if !slices.IsSortedFunc(m.Files, compareEntries) {
		return errors.New("the manifest's files are not in the order of their names")
	}
	return nil
}

func compareEntries(a, b FileEntry) int { return cmp.Compare(a.Name, b.Name) }

func sortEntries(entries []FileEntry) { slices.SortFunc(entries, compareEntries) }

// checkCounts returns an error unless the counts add up to the number of rows that were found.
func (m *Manifest) checkCounts() error {
	var bySplit, bySource countSum
	for _, s := range m.Splits {
		if err := s.check(); err != nil {
			return fmt.Errorf("split %s: %w", s.Name, err)
		}
		bySplit.addCounts(s.Counts)
	}
	if m.WithoutSplit != nil {
		if err := m.WithoutSplit.check(); err != nil {
			return fmt.Errorf("rows without a split: %w", err)
		}
		bySplit.addCounts(*m.WithoutSplit)
	}
	for i, s := range m.Sources {
		if s.Index != i {
			return fmt.Errorf("source %d has the index %d", i, s.Index)
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("source %d: %w", i, err)
		}
		bySource.addCounts(s.Counts)
	}
	for _, w := range m.Warnings {
		if w.Source != nil && uint(*w.Source) >= uint(len(m.Sources)) {
			return fmt.Errorf("a warning is about source %d of %d", *w.Source, len(m.Sources))
		}
	}
	bySource.found, bySource.before = bySource.found-bySource.before, 0 // rows without a split
	if m.Groups < 0 || m.Groups > 0 && (bySource.overflow || bySource.written == 0 && bySplit.written > 0) {
		return fmt.Errorf("the sources have %v, and %d groups", bySource, m.Groups)
	}
	if m.Groups > 0 { // splits count records, and sources rows
		return nil
	}
	if bySplit != bySource || bySplit.overflow {
		return fmt.Errorf("the sources have %v, and the splits %v", bySource, bySplit)
	}
	return nil
}

func (s Split) check() error {
	if err := s.Counts.check(); err != nil {
		return err
	}
	for rule := range s.Skipped {
		if rule != SkippedByLimit {
			return fmt.Errorf("rows skipped by %s have no split", rule)
		}
	}
	if err := s.checkDropped(); err != nil {
		return err
	}
	var sum countSum
	var content Content
	for _, shard := range s.Shards {
		if shard.Records < 0 || shard.Bytes < 0 {
			return fmt.Errorf("%s: a negative count", shard.Name)
		}
		sum.add(&sum.written, shard.Records)
		content.Add(shard.Content)
	}
	if content != s.Content {
		return fmt.Errorf("the content is %s, and that of the shards %s", s.Content, content)
	}
	if sum.written != s.Records || sum.written != s.Written || sum.overflow {
		return fmt.Errorf("%d rows are written, and the shards hold %d records of %d", s.Written,
			sum.written, s.Records)
	}
	return nil
}

func (c Counts) check() error {
	var sum countSum
	sum.addCounts(c)
	if c.Found < 0 || c.Written < 0 {
		return errors.New("a negative count")
	}
	for code, n := range c.Rejected {
		if n <= 0 {
			return fmt.Errorf("%d rows rejected for %s", n, code)
		}
	}
	for rule, n := range c.Skipped {
		if n <= 0 || !slices.Contains(SkipRules, rule) {
			return fmt.Errorf("%d rows skipped by %s", n, rule)
		}
	}
	accounted := sum
	accounted.add(&accounted.written, sum.rejected)
	accounted.add(&accounted.written, sum.limit)
	accounted.add(&accounted.written, sum.before)
	switch {
	case accounted.overflow:
		return errors.New("more rows than can be counted")
	case accounted.written == c.Found:
		return nil
	case c.Skipped != nil:
		return fmt.Errorf("%d rows found are not %d written, %d rejected and %s", c.Found, sum.written, sum.rejected,
			SkippedText(c.Skipped))
	}
	return fmt.Errorf("%d rows found are not %d written and %d rejected", c.Found, sum.written, sum.rejected)
}

// A countSum adds up counts and detects overflow.
type countSum struct {
	found, written, rejected int64
	limit                    int64 // rows beyond a limit
	before                   int64 // rows that are skipped before they are assigned to a split
	overflow                 bool
}

func (t *countSum) add(sum *int64, n int64) {
	if n > 0 && *sum > math.MaxInt64-n {
		t.overflow = true
		return
	}
	*sum += n
}

func (t *countSum) addCounts(c Counts) {
	t.add(&t.found, c.Found)
	t.add(&t.written, c.Written)
	for _, n := range c.Rejected {
		t.add(&t.rejected, n)
	}
	for rule, n := range c.Skipped {
		if rule == SkippedByLimit {
			t.add(&t.limit, n)
		} else {
			t.add(&t.before, n)
		}
	}
}

func (t countSum) String() string {
	text := fmt.Sprintf("%d rows found, %d written, %d rejected", t.found, t.written, t.rejected)
	if t.limit > 0 {
		text += fmt.Sprintf(", %d beyond a limit", t.limit)
	}
	return text
}
