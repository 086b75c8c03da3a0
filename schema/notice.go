package schema

// A Notice counts values of a feature that were accepted, and that a user
// should hear of once.
type Notice struct {
	Feature      string
	LeadingZeros uint64 // integers such as 007, which are often names and not numbers
	Underflows   uint64 // floats other than 0 that are 0 as they are stored
}

// TakeNotices lists, in the order of their keys, the features of which there is
// something to say since it was last called. Rows that other features then
// spoiled count too.
func (e *Encoder) TakeNotices() []Notice {
	var seen []Notice
	for i := range e.notices {
		if n := e.notices[i]; n.LeadingZeros != 0 || n.Underflows != 0 {
			n.Feature = e.schema.key(i)
			seen = append(seen, n)
			e.notices[i] = Notice{}
		}
	}
	return seen
}

// key is that of the i-th of all features and feature lists.
func (s *Schema) key(i int) string {
	if i < len(s.fields) {
		return s.fields[i].Key
	}
	return s.lists[i-len(s.fields)].Key
}
