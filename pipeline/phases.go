package pipeline

import "tfr-build/internal/pool"

// phasesOfBuild returns the phases of a build, each with the bytes that it reads and writes. These
// are estimates, because no row was read yet:
//
//   - Checking inputs reads all files. A build does it at its beginning and at its end; with provenance once at its
//     end.
//   - Finding rows reads the text of all tables.
//   - Sorting to disk reads and writes that text. It replaces finding rows.
//   - Reading classes reads it again, unless rows are sorted to disk.
//   - Writing reads all input, and writes about as much.
func phasesOfBuild(j *job) []pool.Phase {
	text := j.set.Footprint().Text
	list := phasesOfPlan(j)
	switch {
	case j.spills():
		list[len(list)-1] = pool.Phase{Name: pool.SortingToDisk, Bytes: 2 * text}
	case len(j.set.Classes.Auto()) > 0:
		list = append(list, pool.Phase{Name: pool.ReadingClasses, Bytes: text})
	}
	list = append(list, pool.Phase{Name: pool.Writing, Bytes: 2 * max(1, text, j.inputs.Bytes())})
	if j.cfg.Provenance {
		list = append(list, pool.Phase{Name: pool.CheckingInputs, Bytes: j.inputs.Bytes()})
	}
	return append(list, phasesOfCheck(j)...)
}

// phasesOfPlan returns the phases of a plan, with the same estimates.
func phasesOfPlan(j *job) []pool.Phase {
	name := pool.FindingRows
	if j.spills() {
		name = pool.CountingRows
	}
	return append(phasesOfCheck(j), pool.Phase{Name: name, Bytes: j.set.Footprint().Text})
}

// phasesOfCheck returns the phase that compares the contents of the input, if any.
func phasesOfCheck(j *job) []pool.Phase {
	if !j.run.HashInputs {
		return nil
	}
	return []pool.Phase{{Name: pool.CheckingInputs, Bytes: j.inputs.Bytes()}}
}
