package sink

// recover ends what a stopped run began, under the lock. A run may have been
// stopped
//
//	before it had a journal            what it left is removed
//	before it sealed data/             nothing to do: the next run resumes or drops it
//	between sealing and publishing     the same
//	between the two renames of         back: the old dataset gets its name again
//	an overwrite
//	after publishing                   forward: what it replaced and was made of is removed
func (s *Stage) recover() (err error) {
	if err := s.place.inspect(); err != nil {
		return err
	}
	if s.left, err = readLeft(s.place); err != nil {
		return err
	}
	published, err := s.left.wasPublished()
	if err != nil {
		return err
	}
	if published || s.place.isApart() && s.place.found == Dataset { // which nobody replaces
		return s.cleanUp() // the name of the dataset is durable since the lock was taken
	}
	if err := s.place.target.repair(); err != nil || s.left != nil {
		return err
	}
	if claim, err := s.place.shared.readClaim(); err != nil || claim != nil {
		return err
	}
	return s.place.tidy() // without a journal nothing can be resumed
}

// wasPublished reports whether the output is the dataset that the run sealed.
func (l *Left) wasPublished() (bool, error) {
	if l == nil || l.sealed == "" || l.place.found != Dataset {
		return false, nil
	}
	digest, err := l.place.target.manifestDigest()
	return err == nil && digest == l.sealed, err
}

// cleanUp removes what a commit leaves: the dataset that was replaced, and what
// was needed to build the new one.
func (s *Stage) cleanUp() error {
	if err := s.place.target.removeReplaced(); err != nil {
		return err
	}
	if err := s.dropAll(); err != nil {
		return err
	}
	return s.place.target.release()
}
