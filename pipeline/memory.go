package pipeline

// maxMapped is how many files are mapped at once at most: systems bound the
// number of mappings of a process.
const maxMapped = 30_000

// mustPart reports whether the tables have to go through parts on disk: they
// cannot be read where their rows stand, or they and the index of their rows
// would take more memory than the run may use.
func (j *job) mustPart() bool {
	var bytes int64
	tables := 0
	for _, f := range j.files {
		if !f.source.Spec().Kind.IsTable() {
			continue
		}
		if f.source.MustPart(f.local) {
			return true
		}
		tables++
		bytes += f.source.Files[f.local].Size
	}
	return tables > maxMapped || tables > 0 && bytes+bytes/indexShare > j.run.Memory
}

// indexShare is how many bytes of a table there are for each byte of its
// index, about: rows of 64 bytes with 12 bytes each.
const indexShare = 5

// partLimit is how large a part may be, with its index: two are in memory at
// once, one being read while the other is written out.
func (j *job) partLimit() int64 {
	if j.run.partLimit > 0 {
		return j.run.partLimit
	}
	return max(j.run.Memory, MinMemory) / 2
}

// MinMemory is the least that a run's Memory may be.
const MinMemory = 16_000_000

// tableBytes guesses how many bytes the tables have when they are read.
func (j *job) tableBytes() (bytes int64) {
	for _, f := range j.files {
		s := f.source
		if !s.Spec().Kind.IsTable() {
			continue
		}
		size := s.Files[f.local].Size
		if s.MustPart(f.local) {
			size *= usualRatio
		}
		bytes += size
	}
	return bytes
}

// usualRatio is how much shorter compressed tables are; a guess, and a wrong
// one only costs time.
const usualRatio = 6

// tableFiles lists the input files that are tables.
func (j *job) tableFiles() []int {
	var list []int
	for i, f := range j.files {
		if f.source.Spec().Kind.IsTable() {
			list = append(list, i)
		}
	}
	return list
}
