package sink

import (
	"encoding/json"
	"path/filepath"
)

// A Left is what a run that was stopped left behind: the job it worked on and
// what it finished of it, as its journal says. Nothing of it is checked yet.
type Left struct {
	disk    *disk
	dir     string // the hidden folder
	Job     []byte
	Shards  []LeftShard
	Parts   *LeftParts // nil where no part was begun
	planned *planned   // nil where no plan was written
	sealed  string     // digest of the manifest of data/; empty where it was not complete
}

// A LeftShard is a file of data/ that is whole.
type LeftShard struct {
	Sum
	Rejects *Sum            `json:"rejects,omitempty"` // of its file in rejects/
	Note    json.RawMessage `json:"note,omitempty"`    // what the caller gave to Finish
}

// LeftParts are the parts that hold every row.
type LeftParts struct {
	Dir   string          `json:"dir"`             // under Options.Scratch; empty for the hidden folder
	Files []Sum           `json:"files,omitempty"` // none until all rows are there
	Note  json.RawMessage `json:"note,omitempty"`  // what the caller gave to KeepParts
}

// maxJob is how long a job can be for a run to go on with it.
const maxJob = 1 << 20

// readLeft reads what a stopped run left. A job or a journal that is not whole
// leaves nothing to go on with.
func (s *Stage) readLeft() (*Left, error) {
	job, err := readSmall(s.fs, filepath.Join(s.hidden, jobName), maxJob)
	if err != nil || job == nil {
		return nil, err
	}
	left := &Left{disk: &s.disk, dir: s.hidden, Job: job}
	at := map[string]int{}
	ours, err := s.readJournal(job, func(line *journalLine) { left.add(line, at) })
	if err != nil || !ours {
		return nil, err
	}
	return left, nil
}

// add adds what a line of the journal says. Of two lines about one thing the
// later counts: at says where the shards stand.
func (l *Left) add(line *journalLine, at map[string]int) {
	switch {
	case line.Planned != nil:
		l.planned = line.Planned
	case line.Shard != nil:
		i, again := at[line.Shard.Name]
		if !again {
			i = len(l.Shards)
			at[line.Shard.Name] = i
			l.Shards = append(l.Shards, LeftShard{})
		}
		l.Shards[i] = *line.Shard
	case line.Parts != nil:
		l.Parts = line.Parts
	case line.Sealed != "":
		l.sealed = line.Sealed
	}
}

// Left returns what a stopped run left, or nil. It is to be asked before Begin
// or Resume.
func (s *Stage) Left() *Left { return s.left }
