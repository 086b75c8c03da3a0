package sink

import "encoding/json"

// Leftovers are files of a stopped run: its job, and what its journal lists as finished.
// Nothing in it is checked yet.
type Leftovers struct {
	Job    []byte
	Shards []FinishedShard
	// The journal has lines of another version, so more may be finished.
	Foreign bool

	location *location
	spill    *string // see journalLine; nil if the run created no spill file
	sealed   string  // digest of the manifest in data/; empty if data/ was not complete
}

// A FinishedShard is a complete file of data/.
type FinishedShard struct {
	Sum
	Rejects    *Sum            `json:"rejects,omitempty"`    // of its file in rejects/
	Statistics *Sum            `json:"statistics,omitempty"` // of its file in statistics/
	Note       json.RawMessage `json:"note,omitempty"`       // the Note of About, as given to Finish
	ETag       string          `json:"etag,omitempty"`       // of the object; empty: in data/
	Index      *FinishedShard  `json:"index,omitempty"`      // name, sum, and ETag of its index
}

// maxJob is the maximum size in bytes of a job that a run can resume.
const maxJob = 1 << 20

// readLeftovers reads the leftovers of a stopped run. It returns nil if there is nothing to resume,
// because the job or the journal is not complete.
func readLeftovers(loc *location) (*Leftovers, error) {
	job, err := readSmall(loc.disk.fs, loc.inStaging(jobName), maxJob)
	if err != nil || job == nil {
		return nil, err
	}
	left := &Leftovers{Job: job, location: loc}
	index := map[string]int{}
	belongs, err := readJournal(loc.disk.fs, loc.staging, job, func(line *journalLine) { left.add(line, index) })
	if err != nil || !belongs {
		return nil, err
	}
	return left, nil
}

// add adds a line of the journal. A later line about the same thing replaces the earlier line.
// index maps the name of each shard to its position in Shards.
func (l *Leftovers) add(line *journalLine, index map[string]int) {
	switch {
	case line.foreign:
		l.Foreign = true
	case line.Shard != nil:
		i, again := index[line.Shard.Name]
		if !again {
			i = len(l.Shards)
			index[line.Shard.Name] = i
			l.Shards = append(l.Shards, FinishedShard{})
		}
		l.Shards[i] = *line.Shard
	case line.Spill != nil:
		l.spill = line.Spill
	case line.Sealed != "":
		l.sealed = line.Sealed
	}
}
