package rows

// Teller takes the rows that are going to be read, in that order, so that files which
// take long to come are on their way; it is nil where that helps nobody.
func Teller(s *Set) func(r *Row) {
	tell, any := make([]func(file int), len(s.Sources)), false
	for i, src := range s.Sources {
		tell[i] = src.Ahead()
		any = any || tell[i] != nil
	}
	if !any {
		return nil
	}
	return func(r *Row) {
		f := &s.files[r.File]
		if t := tell[f.source.Number]; t != nil {
			t(f.local)
		}
	}
}
