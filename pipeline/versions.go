package pipeline

import (
	"fmt"
	"path/filepath"

	"tfr-build/internal/vfs"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// versions are those beside the output; nil where the config does not say what
// becomes of them, or the run has another output, which it warns of.
func (j *job) versions() *sink.Versions {
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
		Beside: j.besideVersion,
	}
}

// besideVersion is what stands beside an older version under a name of its own.
func (j *job) besideVersion(output string) []*sink.Beside {
	list := []*sink.Beside{j.reportBeside(output)}
	if j.cfg.Rejects == "" {
		list = append(list, j.rejectsBeside(output))
	}
	return list
}

// settled reports whether the versions are as the config wants them: nothing is left
// to do once the dataset is there.
func (b *build) settled() (bool, error) {
	if b.beside == nil {
		return true, nil
	}
	return b.beside.Settled(b.run.FS, b.output())
}

// settle has the link name the dataset, which is published, and removes older versions
// beyond those that the config keeps.
func (b *build) settle() error {
	if b.beside == nil {
		return nil
	}
	changed, err := b.stage.PointTo(b.beside)
	if err != nil {
		return err
	}
	if changed {
		b.run.inform(fmt.Sprintf("%s names %s now", filepath.Join(b.beside.Dir, b.beside.Link), filepath.Base(b.output())))
	}
	removed, err := b.stage.RemoveOlder(b.beside)
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
	if vfs.IsURL(r.OutputOf(cfg)) && (cfg.Link != "" || cfg.Keep > 0) {
		return &PlaceError{Text: fmt.Sprintf("the output %s is in a bucket, where there are no links and nothing is removed: link and keep are for folders", r.OutputOf(cfg))}
	}
	return nil
}
