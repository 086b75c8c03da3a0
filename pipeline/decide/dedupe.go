package decide

import "tfr-build/pipeline/config"

// dedupe skips rows that are equal to another one.
func dedupe(cfg *config.Config) *Rule {
	if cfg.Dedupe == nil {
		return nil
	}
	return &Rule{
		By: cfg.Dedupe.By, Key: "dedupe.by", Prefer: cfg.Dedupe.Prefer, List: cfg.DuplicatesFile(),
		Skips: func(of *Fact) bool { return !of.IsFirst || of.Known }, KeepsFirst: true,
		Keeps: cfg.Dedupe.KeepDigests,
	}
}
