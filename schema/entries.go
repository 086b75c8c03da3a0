package schema

import "tfr-build/message"

// An Entry is one key of a message, with the feature that it is made from.
type Entry struct {
	Key     string       // for a ragged feature: the key of its values or of one of its lists of lengths
	List    message.List // the list that has the values
	Feature *Feature
	Lengths bool // the values are lengths of the lists of a ragged feature
	Steps   bool // it is a feature list of a SequenceExample
}

// Entries returns the keys of the features in ascending order, followed by the keys of the feature
// lists.
func (s *Schema) Entries() []Entry {
	entries := make([]Entry, 0, len(s.fields)+len(s.lists))
	for _, fields := range [][]field{s.fields, s.lists} {
		for i := range fields {
			f := &fields[i]
			x := Entry{Key: f.name, List: f.storage(s.record.Message).list, Feature: &f.Feature, Lengths: f.form == formLengths, Steps: f.steps != nil}
			if x.Lengths {
				x.List = message.Int64List
			}
			entries = append(entries, x)
		}
	}
	return entries
}
