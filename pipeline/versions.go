package pipeline

import (
	"fmt"
	"path/filepath"

	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// newVersions returns the versions next to the output of a job. It is nil if the config has
// neither link nor keep, or if the run has another output, which it warns of.
func newVersions(j *job) *sink.Versions {
	before, after, ok := j.cfg.AroundVersion()
	if !ok || j.cfg.Link == "" && j.cfg.Keep == 0 {
		return nil
	}
	if filepath.Base(j.output()) != before+j.cfg.Version+after {
		j.run.warn(fmt.Sprintf("link and keep are ignored: the output %s does not have the name of a version, as %s "+
			"has",
			j.output(), j.cfg.Output))
		return nil
	}
	return &sink.Versions{
		Dir: filepath.Dir(j.output()), Before: before, After: after,
		Dataset: j.cfg.Name, Link: j.cfg.Link, Keep: j.cfg.Keep,
		Stays:    func(path string) bool { return j.paths.HoldsInput(j.set, path) },
		Sidecars: func(output string) []*sink.Sidecar { return versionSidecars(j.cfg, output) },
	}
}

// versionSidecars returns the files next to an older version that have the version in their names.
func versionSidecars(cfg *config.Config, output string) []*sink.Sidecar {
	list := []*sink.Sidecar{reportSidecar(output)}
	if cfg.Rejects == "" {
		list = append(list, rejectsSidecar(cfg, output))
	}
	return list
}

// versionsDone reports whether the link and the number of versions are already as the config says.
func (o *output) versionsDone() (bool, error) {
	if o.job.versions == nil {
		return true, nil
	}
	return o.job.versions.IsUpToDate(o.job.run.Storage, o.job.output(), o.options())
}

// updateVersions points the link to the published dataset, and removes older versions beyond those
// that the config keeps.
func (o *output) updateVersions() error {
	if o.job.versions == nil {
		return nil
	}
	changed, err := o.job.versions.PointTo(o.stage)
	if err != nil {
		return err
	}
	if changed {
		o.job.run.inform(fmt.Sprintf("%s names %s now", filepath.Join(o.job.versions.Dir, o.job.versions.Link),
			filepath.Base(o.job.output())))
	}
	removed, err := o.job.versions.RemoveOlder(o.stage)
	for _, path := range removed {
		o.job.run.inform("removed the older version " + path)
	}
	return err
}

// checkVersion returns an error if {version} is in a wrong place of the output, or if the store
// has no links.
func (r *Run) checkVersion(cfg *config.Config) error {
	if !config.IsVersionPath(r.Output) {
		return &BadPathError{Text: fmt.Sprintf("the output %s: {version} occurs once, in the last name of the path",
			r.Output)}
	}
	if !r.Storage.HasLinks(r.OutputOf(cfg)) && (cfg.Link != "" || cfg.Keep > 0) {
		return &BadPathError{Text: fmt.Sprintf("the output %s is in a bucket, which has no links and where nothing is "+
			"removed: link and keep are for directories", r.OutputOf(cfg))}
	}
	return nil
}
