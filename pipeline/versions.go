package pipeline

import (
	"fmt"
	"path/filepath"

	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// versionsOf are those beside the output of a job; nil where the config does not say
// what becomes of them, or the run has another output, which it warns of.
func versionsOf(j *job) *sink.Versions {
	before, after, ok := j.cfg.AroundVersion()
	if !ok || j.cfg.Link == "" && j.cfg.Keep == 0 {
		return nil
	}
	if filepath.Base(j.output()) != before+j.cfg.Version+after {
		j.run.warn(fmt.Sprintf("link and keep are left out: the output %s has not the name of a version, as %s has", j.output(), j.cfg.Output))
		return nil
	}
	return &sink.Versions{
		Dir: filepath.Dir(j.output()), Before: before, After: after,
		Dataset: j.cfg.Name, Link: j.cfg.Link, Keep: j.cfg.Keep,
		Stays:  func(path string) bool { return j.paths.HoldsInput(j.set, path) },
		Beside: func(output string) []*sink.Beside { return besideVersion(j.cfg, output) },
	}
}

// besideVersion is what stands beside an older version under a name of its own.
func besideVersion(cfg *config.Config, output string) []*sink.Beside {
	list := []*sink.Beside{reportBeside(output)}
	if cfg.Rejects == "" {
		list = append(list, rejectsBeside(cfg, output))
	}
	return list
}

// settled reports whether the versions are as the config wants them: nothing is left
// to do once the dataset is there.
func settled(b *build) (bool, error) {
	if b.beside == nil {
		return true, nil
	}
	return b.beside.Settled(b.run.Storage.Local(), b.output())
}

// settle has the link name the dataset, which is published, and removes older versions
// beyond those that the config keeps.
func settle(b *build) error {
	if b.beside == nil {
		return nil
	}
	changed, err := b.beside.PointTo(b.stage)
	if err != nil {
		return err
	}
	if changed {
		b.run.inform(fmt.Sprintf("%s names %s now", filepath.Join(b.beside.Dir, b.beside.Link), filepath.Base(b.output())))
	}
	removed, err := b.beside.RemoveOlder(b.stage)
	for _, path := range removed {
		b.run.inform("removed the older version " + path)
	}
	return err
}

// checkVersion refuses an output of the run whose {version} stands where none can.
func (r *Run) checkVersion(cfg *config.Config) error {
	if !config.VersionFits(r.Output) {
		return &PlaceError{Text: fmt.Sprintf("the output %s: {version} stands once, in the last name of the path", r.Output)}
	}
	if !r.Storage.HasLinks(r.OutputOf(cfg)) && (cfg.Link != "" || cfg.Keep > 0) {
		return &PlaceError{Text: fmt.Sprintf("the output %s is in a bucket, where there are no links and nothing is removed: link and keep are for folders", r.OutputOf(cfg))}
	}
	return nil
}
