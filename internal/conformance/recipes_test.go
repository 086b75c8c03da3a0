package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tfr-build/internal/exit"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

// recipe is the block of docs/how-to/engines.md in a language that has a text.
func recipe(t *testing.T, language, text string) string {
	t.Helper()
	for _, b := range blocksOf(t, "docs/how-to/engines.md") {
		if b.language == language && strings.Contains(b.text, text) {
			return b.text
		}
	}
	t.Fatalf("docs/how-to/engines.md has no %s with %s", language, text)
	return ""
}

// TestRecipes runs the commands of docs/how-to/engines.md as the engines would. They make the
// dataset of the config.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	alone := testenv.Directory(t, pets)
	build(t, filepath.Join(alone, "pets.yaml"), filepath.Join(alone, "out"), pipeline.Run{})
	want := list(t, filepath.Join(alone, "out"))
	path := "PATH=" + filepath.Dir(testenv.Program(t)) + ":" + os.Getenv("PATH")
	job, work := cronJob(t), actions(t)
	for name, commands := range map[string]string{
		"systemd":    serviceCommand(t),
		"kubernetes": "tfr-build " + strings.Join(job.args(), " "),
		"actions":    work.step("build"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, pets)
			for range 2 { // as the night after
				if said := shell(t, dir, commands, path, "OUT=out/pets"); name != "actions" && said != "" {
					t.Errorf("it says %s", said)
				}
			}
			sameFiles(t, want, filepath.Join(dir, "out/pets"), name)
		})
	}
	t.Run("actions verify", func(t *testing.T) {
		shell(t, alone, work.step("tfr-build verify"), path, "OUT=out")
	})
}

// TestRecipesKnowExitCodes has each recipe give up where no retry fixes it.
func TestRecipesKnowExitCodes(t *testing.T) {
	codes := []int{exit.Usage, exit.Rows, exit.InWay, exit.Checks}
	listed := regexp.MustCompile(`[\[\],]`).ReplaceAllString(fmt.Sprint(codes), "")
	if line := "RestartPreventExitStatus=" + listed + "\n"; !strings.Contains(recipe(t, "ini", "[Service]"), line) {
		t.Errorf("the service has no %s", line)
	}
	job := cronJob(t)
	rule := job.Spec.JobTemplate.Spec.PodFailurePolicy.Rules[0]
	if rule.Action != "FailJob" || !slices.Equal(rule.OnExitCodes.Values, codes) {
		t.Errorf("the CronJob has %v, want %v", rule, codes)
	}
	if line := fmt.Sprintf("returncode == %d:\n        raise AirflowFailException",
		exit.NoRetry); !strings.Contains(recipe(t, "python", "import dag"), line) {
		t.Errorf("the DAG has no %s", line)
	}
	for code := range 11 {
		calls, ended := runStep(t, []int{code, exit.Input, exit.Output})
		switch again := !slices.Contains(codes, code) && code != exit.Done; {
		case again && (calls != 3 || ended != exit.Output), !again && (calls != 1 || ended != code):
			t.Errorf("after %d the workflow ends with %d after %d runs", code, ended, calls)
		}
	}
	if calls, ended := runStep(t, []int{exit.Input, exit.Done}); calls != 2 || ended != 0 {
		t.Errorf("the workflow ends with %d after %d runs", ended, calls)
	}
}

// runStep runs the step of GitHub's workflow with a program that ends with the given codes,
// and returns how often it ran and with what the step ended.
func runStep(t *testing.T, codes []int) (calls, ended int) {
	t.Helper()
	stand := `sleep() { :; }
tfr-build() {
	local code=${CODES%% *}
	CODES=${CODES#* }
	echo called
	return $code
}
`
	work := actions(t)
	cmd := exec.Command("bash", "-e", "-c", stand+work.step("build")) // as GitHub runs it
	cmd.Env = append(os.Environ(), "OUT=out", "CODES="+strings.Trim(fmt.Sprint(codes), "[]")+" ")
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return strings.Count(string(out), "called\n"), cmd.ProcessState.ExitCode()
}

// serviceCommand matches the command that the systemd service starts.
func serviceCommand(t *testing.T) string {
	t.Helper()
	_, rest, found := strings.Cut(recipe(t, "ini", "[Service]"), "\nExecStart=/usr/local/bin/")
	if !found {
		t.Fatal("the service starts nothing in /usr/local/bin")
	}
	command, _, _ := strings.Cut(rest, "\n")
	return command
}

// aCronJob has the fields of a CronJob that are checked.
type aCronJob struct {
	Spec struct {
		JobTemplate struct {
			Spec struct {
				PodFailurePolicy struct {
					Rules []struct {
						Action      string
						OnExitCodes struct{ Values []int } `yaml:"onExitCodes"`
					}
				} `yaml:"podFailurePolicy"`
				Template struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		} `yaml:"jobTemplate"`
	}
}

func cronJob(t *testing.T) (c aCronJob) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(recipe(t, "yaml", "kind: CronJob")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *aCronJob) args() []string { return c.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Args }

// actionsFile has the fields of an Actions workflow that are checked.
type actionsFile struct {
	Jobs struct {
		Build struct{ Steps []struct{ Name, Run string } }
	}
}

func actions(t *testing.T) (w actionsFile) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(recipe(t, "yaml", "runs-on:")), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// step is what a step runs, of a name or with a command that begins so.
func (w *actionsFile) step(begin string) string {
	for _, s := range w.Jobs.Build.Steps {
		if s.Name == begin || strings.HasPrefix(s.Run, begin) {
			return s.Run
		}
	}
	return "false"
}
