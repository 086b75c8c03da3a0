package pipeline

import (
	"context"
	"fmt"

	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// Check does what a build does before it searches for rows, and then converts the first
// rows: it finds the faults of the config, missing files and columns, files of others that
// are in the way of the output, and rows that a build of these rows would end with. Of
// another dataset there it only tells. It writes nothing.
func Check(ctx context.Context, cfg *config.Config, run Run) error {
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.sampleWarned(ctx); err != nil {
		return err
	}
	j.run.warnAll(j.cfg.ForDALI())
	if problems := j.cfg.UnmovedCoordinates(); problems != nil {
		return problems
	}
	view, err := sink.Peek(run.Storage, j.output())
	switch {
	case err != nil:
		return err
	case view.Found == sink.Foreign:
		return fmt.Errorf("%s %w", view.Path, sink.ErrInTheWay)
	case view.Found == sink.Dataset && !run.Overwrite:
		_, why, err := j.state.UpToDate(run.Storage, view.Path, view.Found, view.State)
		if err != nil {
			return err
		}
		if why != "" {
			run.inform((&DatasetError{Path: view.Path, Why: why}).Error() + "; a build needs -overwrite to replace it")
		}
	}
	if err := j.besideInTheWay(); err != nil {
		return err
	}
	if err := j.set.LoadJoins(ctx); err != nil {
		return err
	}
	f, err := judgeFirst(ctx, j, nil)
	if err != nil {
		return err
	}
	for _, src := range j.set.Sources {
		run.warnAll(src.Notes(0))
	}
	run.warnAll(f.smallShards())
	return nil
}
