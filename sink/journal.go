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

// A journal records which parts of an unfinished dataset are finished. A line has the format of
// internal/sumline: a CRC-32C and a JSON object.
//
//	… {"job":"…"}       the first line: the SHA-256 of job.json, to which the journal belongs
//	… {"shard":{…}}     a file of data/ is complete, with its metadata files
//	… {"spill":"…"}     the directory of spill files under Options.Scratch; empty: in the staging directory
//	… {"sealed":"…"}    data/ is complete, and its manifest has this digest
//
// A line is durable before the next step begins. All lines after a truncated or damaged line
// are ignored. So are lines from one in a format of another version.
type journal struct {
	disk *Disk
	f    store.LocalFile

	mu     sync.Mutex
	end    int64
	failed error // of the first line that could not be written; the content of f is unknown since
}

// A journalLine is one line of a journal: one of its fields is set.
type journalLine struct {
	Job    string         `json:"job,omitempty"`
	Shard  *FinishedShard `json:"shard,omitempty"`
	Spill  *string        `json:"spill,omitempty"`
	Sealed string         `json:"sealed,omitempty"`

	foreign bool // the line is complete, and in a format of another version
}

// The maximum sizes in bytes of a line and a journal that are read. A longer line is not
// written: a run that resumes repeats the step.
const (
	maxLine    = 64 << 20
	maxJournal = 256 << 20
)

// encode returns the line as the file contains it.
func (l *journalLine) encode() ([]byte, error) {
	text, err := sumline.Encode(l)
	if err != nil {
		err = fmt.Errorf("encoding a line of the journal: %w", err)
	}
	return text, err
}

// parseLine decodes a line. ok is false if the line is incomplete, damaged, or invalid.
func parseLine(data []byte) (line journalLine, ok bool) {
	ok = len(data) <= maxLine && sumline.Decode(data, &line)
	// Names that this package cannot have written may lead outside of the staging directory.
	return line, ok && (line.Shard == nil || line.Shard.checkNames() == nil)
}

// parseJournal calls visit with each line of a journal after the first, if the journal belongs
// to job. belongs is false if it belongs to another job, or if its first line is damaged.
func parseJournal(r io.Reader, job []byte, visit func(*journalLine)) (belongs bool, err error) {
	in := bufio.NewReaderSize(io.LimitReader(r, maxJournal), 64<<10)
	var text []byte
	for {
		if text, err = appendLine(text[:0], in); err != nil {
			return belongs, err
		}
		line, ok := parseLine(text)
		_, written := sumline.Text(text)
		switch {
		case !ok && belongs && written:
			visit(&journalLine{foreign: true})
			return true, nil
		case !ok || !belongs && line.Job != textDigest(job): // without a first line of this job, no line counts
			return belongs, nil
		case belongs:
			visit(&line)
		}
		belongs = true
	}
}

// appendLine appends the next line to dst. It appends only the beginning of a line that is
// longer than maxLine, and the existing bytes of a truncated line.
func appendLine(dst []byte, in *bufio.Reader) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		dst = append(dst, part...)
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

// newJournal replaces the journal in a staging directory by these lines. Its name is durable
// after the next sync of the directory.
func newJournal(d *Disk, staging string, lines ...journalLine) (*journal, error) {
	var text []byte
	for i := range lines {
		line, err := lines[i].encode()
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
	}
	if err := d.putFile(staging, journalName, text); err != nil {
		return nil, err
	}
	name := filepath.Join(staging, journalName)
	f, err := d.fs.Edit(name)
	if err != nil {
		return nil, wrapError("opening", name, err)
	}
	return &journal{disk: d, f: f, end: int64(len(text))}, nil
}

// append adds a line durably. recorded is false if the line is too long. After an error, append
// adds no more lines: the failed line may be in the file completely or in part, now or later.
func (j *journal) append(line *journalLine) (recorded bool, err error) {
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
		err = j.disk.SyncFile(j.f)
	}
	j.end += int64(len(text)) // also after an error, when nothing is written at end anymore
	j.failed = err
	return err == nil, err
}

// seal records that the dataset in the directory data is complete and that its manifest has
// this digest.
func (j *journal) seal(data, manifest string) error {
	digest, err := j.disk.manifestDigest(data)
	if err == nil && digest != manifest { // another process has published, too
		err = wrapError("reading back", filepath.Join(data, filepath.FromSlash(ManifestName)), ErrDiffers)
	}
	if err != nil {
		return err
	}
	_, err = j.append(&journalLine{Sealed: digest})
	return err
}

func (j *journal) close() error { return wrapError("closing", j.f.Name(), j.f.Close()) }

// readJournal calls visit with the lines of the journal in a staging directory, like
// parseJournal.
func readJournal(fsys store.Local, staging string, job []byte, visit func(*journalLine)) (belongs bool, err error) {
	f, _, err := openRegular(fsys, filepath.Join(staging, journalName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	belongs, err = parseJournal(f, job, visit)
	return belongs, wrapError("reading", f.Name(), cmp.Or(err, f.Close()))
}
