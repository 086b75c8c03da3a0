package sink

// planned says what plan.json and the listing beside it hold.
type planned struct {
	Plan    Sum `json:"plan"`
	Listing Sum `json:"listing"`
}

func newPlanned(plan, listing []byte) planned {
	return planned{sumOf(planName, plan, XXH128), sumOf(listingName, listing, XXH128)}
}

// maxPlan is as much of a plan, and of a listing, as is read: the next run makes
// those that are longer again.
const maxPlan = 256 << 20

// WritePlan keeps a plan and the listing of what it is a plan of in the staging
// folder, durably, until the commit: a run that resumes this one may work from
// them, and so may another process. It writes nothing where they are there
// already, and replaces others.
//
// A line of the journal tells of both, so that one is not taken for the plan of
// the other's listing. They alone are no reason to keep what a run leaves.
func (s *Stage) WritePlan(plan, listing []byte) error {
	sums := newPlanned(plan, listing)
	if s.planned != nil && *s.planned == sums {
		return nil
	}
	s.planned = nil
	staging := s.place.staging
	if err := s.disk.put(staging, planName, plan); err != nil {
		return err
	}
	if err := s.disk.put(staging, listingName, listing); err != nil {
		return err
	}
	if err := s.disk.syncDirs(staging); err != nil {
		return err
	}
	if _, err := s.journal.append(&journalLine{Planned: &sums}); err != nil {
		return err
	}
	s.planned = &sums
	return nil
}

// Plan returns the plan and the listing that the run wrote; ok is false where they
// are not there, both and as they were.
func (l *Left) Plan() (plan, listing []byte, ok bool, err error) {
	if l.planned == nil {
		return nil, nil, false, nil
	}
	fsys := l.place.disk.fs
	if plan, err = readSmall(fsys, l.place.in(planName), maxPlan); err != nil || plan == nil {
		return nil, nil, false, err
	}
	if listing, err = readSmall(fsys, l.place.in(listingName), maxPlan); err != nil || listing == nil {
		return nil, nil, false, err
	}
	if newPlanned(plan, listing) != *l.planned {
		return nil, nil, false, nil
	}
	return plan, listing, true, nil
}
