package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources"
)

// An account is what has become of the rows of a shard. It is kept with the
// shard, for a run that goes on with it.
type account struct {
	Records int64   `json:"records"`
	Payload int64   `json:"payload"` // bytes of the Examples alone
	Written []int64 `json:"written"` // rows, by source
	Facts   facts   `json:"facts"`

	rejects []reject // kept in a file of their own
}

// facts are what was remarkable in rows, and what was seen of their images.
type facts struct {
	notes   map[sources.Note]sources.Noted
	seen    map[string]*sources.SeenFacts // by image column
	numbers map[string]schema.Notice      // by feature
}

func newFacts() facts {
	return facts{map[sources.Note]sources.Noted{}, map[string]*sources.SeenFacts{}, map[string]schema.Notice{}}
}

// add adds other facts.
func (f *facts) add(others *facts) {
	f.read(others.notes, others.seen)
	f.notice(slices.Collect(maps.Values(others.numbers)))
}

// read adds what a reader met on its way.
func (f *facts) read(notes map[sources.Note]sources.Noted, seen map[string]*sources.SeenFacts) {
	for n, noted := range notes {
		f.notes[n] = f.notes[n].Add(noted)
	}
	for column, facts := range seen {
		all := f.seen[column]
		if all == nil {
			all = sources.NewSeenFacts()
			f.seen[column] = all
		}
		all.Add(facts)
	}
}

// notice adds what encoders remarked of numbers.
func (f *facts) notice(notices []schema.Notice) {
	for _, n := range notices {
		n.LeadingZeros += f.numbers[n.Feature].LeadingZeros
		n.Underflows += f.numbers[n.Feature].Underflows
		f.numbers[n.Feature] = n
	}
}

// A storedNote is a note with what it is about.
type storedNote struct {
	Code    string `json:"code"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
	Example []byte `json:"example"` // a name, which need not be UTF-8
}

// storedFacts are facts as JSON.
type storedFacts struct {
	Notes   []storedNote                  `json:"notes,omitempty"`
	Seen    map[string]*sources.SeenFacts `json:"seen,omitempty"`
	Numbers []schema.Notice               `json:"numbers,omitempty"`
}

func (f facts) MarshalJSON() ([]byte, error) {
	s := storedFacts{Seen: f.seen, Numbers: slices.Collect(maps.Values(f.numbers))}
	for n, noted := range f.notes {
		s.Notes = append(s.Notes, storedNote{n.Code, n.Text, noted.Count, []byte(noted.Example)})
	}
	return json.Marshal(s)
}

func (f *facts) UnmarshalJSON(text []byte) error {
	var s storedFacts
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*f = newFacts()
	for _, n := range s.Notes {
		f.notes[sources.Note{Code: n.Code, Text: n.Text}] = sources.Noted{Count: n.Count, Example: string(n.Example)}
	}
	f.read(nil, s.Seen)
	f.notice(s.Numbers)
	return nil
}

// parseAccount reads what was kept with a shard.
func (j *job) parseAccount(note, rejected []byte) (a account, err error) {
	if err := json.Unmarshal(note, &a); err != nil {
		return a, fmt.Errorf("decoding the account: %w", err)
	}
	if len(a.Written) != len(j.sources) {
		return a, fmt.Errorf("an account of %d sources", len(a.Written))
	}
	a.rejects, err = parseRejects(rejected, len(j.files))
	return a, err
}
