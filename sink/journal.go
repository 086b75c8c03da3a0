package sink

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
	"tfr-build/internal/sumline"
)

// A journal says what of a dataset in the making is finished. A line is one of
// internal/sumline: a CRC32C and one JSON object.
//
//	… {"job":"…"}       the first one: the SHA-256 of job.json, which it belongs to
//	… {"planned":{…}}   plan.json and the listing beside it are whole
//	… {"shard":{…}}     a file of data/ that is whole, and the files about it
//	… {"spill":{…}}     where spill runs may be; with files, they hold every row
//	… {"sealed":"…"}    data/ is whole, with a manifest of this digest
//
// A line is durable before the next step is taken. Whatever follows a line that
// is cut short or damaged counts for nothing.
type journal struct {
	disk *disk
	f    store.LocalFile

	mu     sync.Mutex
	end    int64
	failed error // of the first line that could not be written: what the file holds since is not known
}

// A journalLine is one line: one of its fields is set.
type journalLine struct {
	Job     string     `json:"job,omitempty"`
	Planned *planned   `json:"planned,omitempty"`
	Shard   *LeftShard `json:"shard,omitempty"`
	Spill   *LeftRuns  `json:"spill,omitempty"`
	Sealed  string     `json:"sealed,omitempty"`
}

// As much of a line and of a journal as is read. A line that is longer is not
// written: what it would say is made again by a run that resumes.
const (
	maxLine    = 64 << 20
	maxJournal = 256 << 20
)

// encode returns the line as it is in the file.
func (l *journalLine) encode() ([]byte, error) {
	text, err := sumline.Encode(l)
	if err != nil {
		err = fmt.Errorf("encoding a line of the journal: %w", err)
	}
	return text, err
}

// parseLine returns what a line says; ok is false where it is not whole, or no
// line of ours.
func parseLine(data []byte) (line journalLine, ok bool) {
	return line, len(data) <= maxLine && sumline.Decode(data, &line) && line.namesFiles()
}

// namesFiles reports whether the files that a line names can be files of ours:
// a name that leads elsewhere is none.
func (l *journalLine) namesFiles() bool {
	var sums []Sum
	if sh := l.Shard; sh != nil {
		if checkShardName(sh.Name) != nil || sh.Bytes < 0 || !sh.namesIndex() {
			return false
		}
		for _, about := range []*Sum{sh.Rejects, sh.Statistics} {
			if about != nil && (about.Name != sh.Name || about.Bytes < 0) {
				return false
			}
		}
	}
	if l.Spill != nil {
		sums = append(sums, l.Spill.Files...)
	}
	if p := l.Planned; p != nil {
		sums = append(sums, p.Plan, p.Listing)
		if p.Plan.Name != planName || p.Listing.Name != listingName {
			return false
		}
	}
	for _, sum := range sums {
		if checkName(sum.Name) != nil || sum.Bytes < 0 {
			return false
		}
	}
	return true
}

// parseJournal calls visit with the lines of a journal that belongs to job, but
// for the first. ours is false where the journal belongs to no job or to another
// one.
func parseJournal(r io.Reader, job []byte, visit func(*journalLine)) (ours bool, err error) {
	in := bufio.NewReaderSize(io.LimitReader(r, maxJournal), 64<<10)
	var text []byte
	for {
		if text, err = appendLine(text[:0], in); err != nil {
			return ours, err
		}
		line, ok := parseLine(text)
		switch {
		case !ok || !ours && line.Job != textDigest(job):
			return ours, nil
		case ours:
			visit(&line)
		}
		ours = true
	}
}

// appendLine appends the next line to dst: the beginning of one that is too long,
// and of one that is cut short what there is.
func appendLine(dst []byte, in *bufio.Reader) ([]byte, error) {
	for {
		piece, err := in.ReadSlice('\n')
		dst = append(dst, piece...)
		switch {
		case err == nil || err == io.EOF || errors.Is(err, bufio.ErrBufferFull) && len(dst) > maxLine:
			return dst, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return dst, err
		}
	}
}

func textDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// newJournal replaces the journal in a staging folder by one of these lines. Its
// name is durable with the next sync of the folder.
func newJournal(d *disk, staging string, lines ...journalLine) (*journal, error) {
	var text []byte
	for i := range lines {
		line, err := lines[i].encode()
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
	}
	if err := d.put(staging, journalName, text); err != nil {
		return nil, err
	}
	name := filepath.Join(staging, journalName)
	f, err := d.fs.Edit(name)
	if err != nil {
		return nil, fault("opening", name, err)
	}
	return &journal{disk: d, f: f, end: int64(len(text))}, nil
}

// append adds a line, durably; noted is false for one that is too long. After an
// error nothing is added any more: the line may be there, whole or in part, or
// come to be there later.
func (j *journal) append(line *journalLine) (noted bool, err error) {
	text, err := line.encode()
	if err != nil || len(text) > maxLine {
		return false, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed != nil {
		return false, j.failed
	}
	if err = writeAt(j.f, text, j.end); err == nil {
		err = j.disk.syncFile(j.f)
	}
	j.end += int64(len(text))
	j.failed = err
	return err == nil, err
}

// seal notes that the dataset in the folder data is complete, whose manifest has this
// digest.
func (j *journal) seal(data, manifest string) error {
	digest, err := j.disk.manifestDigest(data)
	if err == nil && digest != manifest { // it is not ours any more: another process has published, too
		err = fault("reading back", filepath.Join(data, filepath.FromSlash(ManifestName)), ErrDiffers)
	}
	if err != nil {
		return err
	}
	_, err = j.append(&journalLine{Sealed: digest})
	return err
}

func (j *journal) close() error { return fault("closing", j.f.Name(), j.f.Close()) }

// readJournal calls visit with the lines of the journal in a staging folder, where
// it belongs to job.
func readJournal(fsys store.Local, staging string, job []byte, visit func(*journalLine)) (ours bool, err error) {
	f, _, err := openRegular(fsys, filepath.Join(staging, journalName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ours, err = parseJournal(f, job, visit)
	return ours, fault("reading", f.Name(), cmp.Or(err, f.Close()))
}
