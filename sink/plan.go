package sink

// planSums are the sums of plan.json and listing.
type planSums struct {
	Plan    Sum `json:"plan"`
	Listing Sum `json:"listing"`
}

func newPlanSums(plan, listing []byte) planSums {
	return planSums{sumOf(planName, plan, XXH128), sumOf(listingName, listing, XXH128)}
}

// maxPlan is the maximum size in bytes of a plan, and of a listing, that is read. The next run
// makes longer ones again.
const maxPlan = 256 << 20

// WritePlan stores a plan, and the listing of its input, in the staging directory durably until
// the commit. A run that resumes this one may use them, and so may another process. WritePlan
// writes nothing if both already exist with the same bytes.
//
// One line of the journal has the sums of both, so that a plan is never combined with another
// listing. A plan and a listing alone do not make a run resumable.
func (s *Stage) WritePlan(plan, listing []byte) error {
	sums := newPlanSums(plan, listing)
	if s.planned != nil && *s.planned == sums {
		return nil
	}
	s.planned = nil
	staging := s.location.staging
	if err := s.disk.putFile(staging, planName, plan); err != nil {
		return err
	}
	if err := s.disk.putFile(staging, listingName, listing); err != nil {
		return err
	}
	if err := s.disk.SyncDirs(staging); err != nil {
		return err
	}
	if _, err := s.journal.append(&journalLine{Planned: &sums}); err != nil {
		return err
	}
	s.planned = &sums
	return nil
}

// Plan returns the plan and the listing that the run wrote. ok is false unless both exist and
// match their sums.
func (l *Leftovers) Plan() (plan, listing []byte, ok bool, err error) {
	if l.planned == nil {
		return nil, nil, false, nil
	}
	fsys := l.location.disk.fs
	if plan, err = readSmall(fsys, l.location.inStaging(planName), maxPlan); err != nil || plan == nil {
		return nil, nil, false, err
	}
	if listing, err = readSmall(fsys, l.location.inStaging(listingName), maxPlan); err != nil || listing == nil {
		return nil, nil, false, err
	}
	if newPlanSums(plan, listing) != *l.planned {
		return nil, nil, false, nil
	}
	return plan, listing, true, nil
}
