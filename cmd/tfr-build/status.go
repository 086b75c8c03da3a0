package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"tfr-build/internal/plural"
	"tfr-build/pipeline"
)

var statusCommand = &command{
	name: "status", about: "say how far the tasks of a build are",
	run:   status,
	flags: []string{"work", "config", "output", "json", "retry", "log-format"},
	usage: `usage: tfr-build status -work DIR [flags]

Says which tasks of a build are done and left, how fast they were, and how many
rows were left out so far. It looks at the work folder, and changes nothing.

flags:
  -work DIR             the work folder of the tasks
  -config FILE          tells the work folder, where -work does not
  -output DIR           likewise, where the plan was for DIR
  -json                 print an object
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func status(ctx context.Context, c *call) error {
	if err := c.findWork("status"); err != nil {
		return err
	}
	fsys := reached(ctx, c, c.loaded)
	defer fsys.Close()
	s, err := pipeline.StatusOfTasks(ctx, pipeline.Run{FS: fsys}, c.work)
	if err != nil {
		return err
	}
	output := printable(c.log.path(s.Output))
	if c.json {
		c.object(facts{"work": printable(c.log.path(s.Work)), "output": output, "committed": s.Summary != "", "summary": s.Summary, "phases": s.Phases, "rejects": s.Rejects})
		return nil
	}
	if s.Summary != "" {
		fmt.Fprintf(c.stdout, "built %s %s\n", output, s.Summary)
		return nil
	}
	fmt.Fprintf(c.stdout, "%s is being made\n\n", output)
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "phase\ttasks\tdone\tleft\trows\trows/s a task")
	for i := range s.Phases {
		p := &s.Phases[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%s\n", p.Phase, known(p.Tasks), p.Done, known(p.Left()), p.Rows, rate(p))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "\n%s left out so far\n", plural.Of(s.Rejects, "row"))
	return err
}

// known is a number, if it is.
func known(n int) string {
	if n < 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// rate is how many rows a task read in a second.
func rate(p *pipeline.PhaseStatus) string {
	if p.Seconds <= 0 || p.Rows == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(p.Rows)/p.Seconds)
}

// findWork finds the work folder that the flags name.
func (c *call) findWork(command string) error {
	if c.config == "" {
		if c.work == "" {
			return usagef("tfr-build help "+command, "%s: -work DIR names the work folder, or -config FILE tells it", command)
		}
		return nil
	}
	cfg, err := c.loadConfig(command)
	if err == nil && c.work == "" {
		c.work = pipeline.WorkFolder(cfg, pipeline.Run{Output: c.output})
	}
	return err
}

var cleanCommand = &command{
	name: "clean", about: "give up the tasks of a build, and remove what they made",
	run: clean, writes: true,
	flags: []string{"work", "config", "output", "retry", "sync", "quiet", "log-format"},
	usage: `usage: tfr-build clean -work DIR [flags]

Removes what the tasks of a build made and told one another, but for a dataset
that they published, and gives the output free. No task may be at work.

flags:
  -work DIR             the work folder of the tasks
  -config FILE          tells the work folder, where -work does not; and their
                        output, where the work folder is gone
  -output DIR           likewise, where the plan was for DIR
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -sync=false           do not wait for the disk: for scratch disks
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func clean(ctx context.Context, c *call) error {
	if err := c.findWork("clean"); err != nil {
		return err
	}
	fsys := reached(ctx, c, c.loaded)
	defer fsys.Close()
	run := pipeline.Run{FS: fsys, Sync: c.sync, Retry: c.retry, Warn: c.log.warn, Output: c.output}
	if c.loaded != nil {
		run.Output = run.OutputOf(c.loaded)
	}
	return pipeline.CleanTasks(ctx, run, c.work)
}
