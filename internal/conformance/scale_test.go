package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"
	"gopkg.in/yaml.v3"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

// pets is the config of which docs/how-to/many-machines.md speaks, and its table.
var pets = map[string]string{
	"pets.csv": "name,kind\nMia,cat\nTom,cat\nRex,dog\nBo,dog\n",
	"pets.yaml": "name: pets\noutput: out/pets\nsource: {csv: {files: pets.csv}}\nfeatures: {name: bytes, kind: " +
		"{classes: auto}}\n",
}

// sbatch replaces that of Slurm: it starts the processes of an array with the
// variables of one, waits for them, and prints a number. A job that another one has to
// be there for has ended by then.
const sbatch = `
set -euo pipefail
sbatch() {
	local array=0-0 command="" i pids=()
	while [ $# -gt 0 ]; do
		case $1 in
		--array=*) array=${1#--array=} ;;
		--wrap) command=$2; shift ;;
		--dependency=afterok:[0-9]*|--kill-on-invalid-dep=yes|--job-name=*|--parsable|--requeue|--wait) ;;
		*) return 1 ;;
		esac
		shift
	done
	for ((i = ${array%-*}; i <= ${array#*-}; i++)); do
		SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$((${array#*-} + 1)) bash -c "$command" >&2 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do wait "$i"; done
	echo 17
}
`

// TestScale runs the recipes of docs/how-to/many-machines.md. All make the dataset of one process. A
// sample has every third recipe.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	dir := testenv.Directory(t, pets)
	build(t, filepath.Join(dir, "pets.yaml"), filepath.Join(dir, "alone"), pipeline.Run{})
	want := list(t, filepath.Join(dir, "alone"))
	recipes := map[string]func(t *testing.T, dir string, b *block){"sh": runScript, "bash": runInBucket,
		"yaml": runManifest, "json": runArray}
	blocks, found := blocksOf(t, "docs/how-to/many-machines.md"), 0
	for i := range blocks {
		b := &blocks[i]
		if recipes[b.language] == nil {
			continue
		}
		if found++; found%testenv.Times(3, 1, 1) != 0 {
			continue
		}
		t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) {
			dir := testenv.Directory(t, pets)
			for k := range blocks {
				if blocks[k].language == "make" {
					write(t, dir, "Makefile", []byte(blocks[k].text))
				}
			}
			write(t, dir, "out/old", nil) // which some remove first
			recipes[b.language](t, dir, b)
			sameFiles(t, want, filepath.Join(dir, "out/pets"), "the recipe")
		})
	}
}

// runScript runs a block of commands.
func runScript(t *testing.T, dir string, b *block) {
	cmd := exec.Command("bash", "-c", sbatch+b.text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"PATH="+filepath.Dir(testenv.Program(t))+string(filepath.ListSeparator)+os.Getenv("PATH"), "MAKEFLAGS=",
		"MAKELEVEL=")
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	b.check(t, string(output))
}

// runInBucket runs commands that make the dataset in a bucket, and has it be here, too.
func runInBucket(t *testing.T, dir string, b *block) {
	g := buckettest.Start(t)
	g.Bucket(t, "corpus")
	buckettest.Env(t, g.Proxy(t).URL)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	runScript(t, dir, b)
	if err := os.CopyFS(filepath.Join(dir, "out/pets"),
		os.DirFS(filepath.Join(g.Dir, "corpus/sets/pets"))); err != nil {
		t.Fatal(err)
	}
}

// runManifest runs what a manifest of Kubernetes describes.
func runManifest(t *testing.T, dir string, b *block) {
	var kind struct{ Kind string }
	if err := yaml.Unmarshal([]byte(b.text), &kind); err != nil {
		t.Fatal(err)
	}
	switch kind.Kind {
	case "Job":
		runPods(t, dir, b)
	case "Workflow":
		runWorkflow(t, dir, b)
	default:
		t.Fatalf("a manifest of the kind %q", kind.Kind)
	}
}

// runPods runs the pods of an indexed Job at once, each again after one of the exit
// codes that the Job says are not a failure.
func runPods(t *testing.T, dir string, b *block) {
	var job struct {
		Spec struct {
			Completions, Parallelism int
			PodFailurePolicy         struct {
				Rules []struct {
					Action      string
					OnExitCodes struct{ Values []int } `yaml:"onExitCodes"`
				}
			} `yaml:"podFailurePolicy"`
			Template struct {
				Spec struct{ Containers []struct{ Args []string } }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(b.text), &job); err != nil {
		t.Fatal(err)
	}
	var again []int
	for _, rule := range job.Spec.PodFailurePolicy.Rules {
		if rule.Action == "Ignore" {
			again = append(again, rule.OnExitCodes.Values...)
		}
	}
	if job.Spec.Completions != job.Spec.Parallelism || len(again) == 0 {
		t.Fatalf("the Job is %+v", job)
	}
	together(t, dir, job.Spec.Completions, job.Spec.Template.Spec.Containers[0].Args, again, func(i int) []string {
		return []string{fmt.Sprint("JOB_COMPLETION_INDEX=", i)}
	})
}

// runArray runs the jobs of an array of AWS Batch at once.
func runArray(t *testing.T, dir string, b *block) {
	var job struct {
		ArrayProperties    struct{ Size int }
		ContainerOverrides struct{ Command []string }
	}
	if err := json.Unmarshal([]byte(b.text), &job); err != nil {
		t.Fatal(err)
	}
	together(t, dir, job.ArrayProperties.Size, job.ContainerOverrides.Command, nil, func(i int) []string {
		return []string{fmt.Sprint("AWS_BATCH_JOB_ARRAY_INDEX=", i),
			fmt.Sprint("AWS_BATCH_JOB_ARRAY_SIZE=", job.ArrayProperties.Size)}
	})
}

// together runs n processes at once, with the variables of each, and each again as
// long as it ends with a code of again.
func together(t *testing.T, dir string, n int, args []string, again []int, variables func(i int) []string) {
	if n < 2 {
		t.Fatalf("%d processes", n)
	}
	program := testenv.Program(t)
	var group errgroup.Group
	for i := range n {
		group.Go(func() error {
			for {
				cmd := exec.Command(program, args...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), variables(i)...)
				output, err := cmd.CombinedOutput()
				switch {
				case err == nil:
					return nil
				case !slices.Contains(again, cmd.ProcessState.ExitCode()):
					return fmt.Errorf("process %d: %w\n%s", i, err, output)
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
