package work

import (
	"errors"
	"fmt"
	"strconv"
)

// A Share selects the tasks of a phase that a process does, as process Index, from 0, of Of
// processes.
type Share struct{ Index, Of int }

// Tasks returns the numbers of the share's tasks, of so many: task k belongs to process k mod Of.
func (s Share) Tasks(tasks int) (list []int) {
	for k := s.Index; k < tasks; k += s.Of {
		list = append(list, k)
	}
	return list
}

// ErrShare says that neither flags nor the environment determine the share.
var ErrShare = errors.New("--index and --of say which share of the tasks is done here")

// An array has the environment variables by which an engine numbers the processes of an array job.
type array struct{ index, of, first, step string }

// arrays has the known engines. If several match, the first whose index is set counts.
var arrays = []array{
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "", ""},
	{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "", ""},
	{"BATCH_TASK_INDEX", "BATCH_TASK_COUNT", "", ""}, // Google Cloud Batch
}

// ShareOf returns the share of a process. index and of are the flags, negative if not set. Without
// flags the environment determines the share; without an array job it is all tasks.
func ShareOf(index, of int, env func(string) (string, bool)) (Share, error) {
	if index < 0 {
		var err error
		if index, of, err = fromArray(of, env); err != nil {
			return Share{}, err
		}
	}
	switch {
	case of < 0:
		return Share{}, fmt.Errorf("of how many processes is this the one of index %d? %w", index, ErrShare)
	case of < 1 || index >= of:
		return Share{}, fmt.Errorf("found index %d of %d, but the first is 0; %w", index, of, ErrShare)
	}
	return Share{index, of}, nil
}

// fromArray returns the index of this process in an array job, and the number of processes. given
// is the number from the flags, negative if not set; it wins over the environment.
func fromArray(given int, env func(string) (string, bool)) (index, of int, err error) {
	for _, a := range arrays {
		if text, _ := env(a.index); text == "" {
			continue
		}
		index, err = number(env, a.index, -1)
		of = given
		if err == nil && of < 0 {
			of, err = number(env, a.of, -1)
		}
		first, step := 0, 1
		if err == nil && given < 0 { // with -of, part of an array may run again
			first, err = number(env, a.first, 0)
		}
		if err == nil && given < 0 {
			step, err = number(env, a.step, 1)
		}
		if err != nil {
			return 0, 0, err
		}
		if step < 1 || (index-first)%step != 0 || index < first {
			return 0, 0, fmt.Errorf("%s=%d is not in steps of %d from %d; %w", a.index, index, step, first, ErrShare)
		}
		return (index - first) / step, of, nil
	}
	if given > 1 {
		return 0, 0, fmt.Errorf("which of the %d processes is this? %w", given, ErrShare)
	}
	return 0, 1, nil
}

// number returns a variable of the environment as a number, or otherwise if it has no name or is not set.
func number(env func(string) (string, bool), name string, otherwise int) (int, error) {
	text, _ := env(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%q is not a number; %w", name, text, ErrShare)
	}
	return n, nil
}
