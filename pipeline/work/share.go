package work

import (
	"errors"
	"fmt"
	"strconv"
)

// A Share is which of the tasks of a phase a process does: of n processes the one of
// that index, from 0.
type Share struct{ Index, Of int }

// Tasks are those of the share, of so many: k is done by the index k mod Of.
func (s Share) Tasks(tasks int) (list []int) {
	for k := s.Index; k < tasks; k += s.Of {
		list = append(list, k)
	}
	return list
}

// ErrShare says that the environment does not tell the share.
var ErrShare = errors.New("-index and -of say which share of the tasks is done here")

// An array is how an engine tells the processes of an array apart: by variables of
// their environment.
type array struct{ index, of, first, step string }

// arrays are the engines that are known. Where several of them seem to be there, the
// first that has an index counts.
var arrays = []array{
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "", ""},
	{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "", ""},
	{"BATCH_TASK_INDEX", "BATCH_TASK_COUNT", "", ""}, // of GCP
}

// ShareOf is the share of a process: index and of are what the command line says,
// negative where it says nothing. Then the environment does, and without an array the
// share is everything.
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
		return Share{}, fmt.Errorf("there is no index %d of %d: the first is 0; %w", index, of, ErrShare)
	}
	return Share{index, of}, nil
}

// fromArray is the index of this process in an array of an engine, and how many
// processes that has, unless the command line says it.
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
		if err == nil && given < 0 && a.first != "" { // else a part of an array may be done again
			first, err = number(env, a.first, 0)
		}
		if err == nil && given < 0 && a.step != "" {
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

// number is a variable of the environment.
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
