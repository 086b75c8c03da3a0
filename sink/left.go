package sink

import "encoding/json"

// A Left is what a run that was stopped left: the job it worked on and what it
// finished of it, as its journal says. Nothing of it is checked yet.
type Left struct {
	Job    []byte
	Shards []LeftShard
	Runs   *LeftRuns // nil where no spill run was begun

	place   *place
	planned *planned // nil where no plan was written
	sealed  string   // digest of the manifest of data/; empty where it was not complete
}

// A LeftShard is a file of data/ that is whole.
type LeftShard struct {
	Sum
	Rejects    *Sum            `json:"rejects,omitempty"`    // of its file in rejects/
	Statistics *Sum            `json:"statistics,omitempty"` // of its file in statistics/
	Note       json.RawMessage `json:"note,omitempty"`       // what the caller gave to Finish
	ETag       string          `json:"etag,omitempty"`       // of the object that it is; empty where it is in data/
	Index      *LeftShard      `json:"index,omitempty"`      // its index, where it has one: name, sum and ETag
}

// LeftRuns are the spill runs that hold every row.
type LeftRuns struct {
	Dir   string          `json:"dir"`             // under Options.Scratch; empty for the staging folder
	Files []Sum           `json:"files,omitempty"` // none until all rows are there
	Note  json.RawMessage `json:"note,omitempty"`  // what the caller gave to KeepRuns
}

// maxJob is how long a job can be for a run to resume it.
const maxJob = 1 << 20

// readLeft reads what a stopped run left. Where the job or the journal is not
// whole, there is nothing to resume.
func readLeft(p *place) (*Left, error) {
	job, err := readSmall(p.disk.fs, p.in(jobName), maxJob)
	if err != nil || job == nil {
		return nil, err
	}
	left := &Left{Job: job, place: p}
	at := map[string]int{}
	ours, err := readJournal(p.disk.fs, p.staging, job, func(line *journalLine) { left.add(line, at) })
	if err != nil || !ours {
		return nil, err
	}
	return left, nil
}

// add adds what a line of the journal says. Of two lines about one thing the
// later counts: at has the index of each shard.
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
	case line.Spill != nil:
		l.Runs = line.Spill
	case line.Sealed != "":
		l.sealed = line.Sealed
	}
}
