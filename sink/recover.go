package sink

// recover completes or undoes what a stopped run began. The caller has the lock.
//
//	the run was stopped                what recover does
//	before it had a journal            removes its files
//	before it sealed data/             nothing: the next run resumes or drops it
//	between sealing and publishing     nothing, for the same reason
//	between the two renames of an      restores the old dataset
//	overwrite
//	after publishing                   removes the replaced dataset and all work files
func (s *Stage) recover() (err error) {
	if err := s.location.inspectOutput(); err != nil {
		return err
	}
	if s.left, err = readLeftovers(s.location); err != nil {
		return err
	}
	published, err := s.left.wasPublished()
	if err != nil {
		return err
	}
	// A dataset in a bucket is never replaced, so nothing can be resumed.
	if published || s.location.isInBucket() && s.location.found == Dataset {
		return s.cleanUp() // Open has synced the directory of the dataset
	}
	if err := s.location.repair(); err != nil || s.left != nil {
		return err
	}
	if claim, err := s.location.shared.readClaim(); err != nil || claim != nil {
		return err
	}
	return s.location.cleanStaging() // without a journal, nothing can be resumed
}

// wasPublished reports whether the dataset at the output is the dataset that the run sealed.
func (l *Leftovers) wasPublished() (bool, error) {
	if l == nil || l.sealed == "" || l.location.found != Dataset {
		return false, nil
	}
	digest, err := l.location.disk.manifestDigest(l.location.output)
	return err == nil && digest == l.sealed, err
}

// cleanUp removes what a commit leaves: the replaced dataset and all work files.
func (s *Stage) cleanUp() error {
	if err := s.location.removeOld(); err != nil {
		return err
	}
	if err := s.removeWorkFiles(); err != nil {
		return err
	}
	if err := s.disk.SyncDirs(s.location.staging); err != nil {
		return err
	}
	return s.location.target.release()
}
