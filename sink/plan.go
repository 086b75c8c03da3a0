package sink

// maxPlan is the maximum size in bytes of a plan that is read. The next run makes a longer one again.
const maxPlan = 512 << 20

// WritePlan stores a plan in the staging directory durably until the commit. A run that resumes this one may use it,
// and so may another process. The plan has checksums, by which its reader knows whether it is as it was written. A plan
// alone does not make a run resumable.
func (s *Stage) WritePlan(plan []byte) error {
	staging := s.location.staging
	if err := s.disk.putFile(staging, planName, plan); err != nil {
		return err
	}
	return s.disk.SyncDirs(staging)
}

// Plan returns the plan that the run wrote; nil if it wrote none. Nothing in it is checked.
func (l *Leftovers) Plan() ([]byte, error) {
	return readSmall(l.location.disk.fs, l.location.inStaging(planName), maxPlan)
}
