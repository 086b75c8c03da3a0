// Package github tests what GitHub and pre-commit read: workflows, the Action, issue
// forms, and the hook.
package github

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"sigs.k8s.io/yaml"
)

const project = "../.."

// strict reads a YAML file whose keys are those of a type.
func strict[T any](t *testing.T, name string) (value T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(project, name))
	if err == nil {
		err = yaml.UnmarshalStrict(text, &value)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// TestWorkflows has actionlint check the workflows, with what they give to the Action.
func TestWorkflows(t *testing.T) {
	root, err := filepath.Abs(project)
	if err != nil {
		t.Fatal(err)
	}
	lint := func(path string, text []byte) error {
		l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{WorkingDir: root})
		if err != nil {
			return err
		}
		p, err := actionlint.NewProject(root)
		if err != nil {
			return err
		}
		found, err := l.Lint(path, text, p)
		for _, e := range found {
			err = errors.Join(err, e)
		}
		return err
	}
	for name, keys := range map[string][]string{
		"ci.yml":      {"timeout-minutes", "config: configs/penguins.yaml", "go-version-file"},
		"release.yml": {"timeout-minutes", "steps.settings.outputs", "needs.build.outputs.owner", "secrets.TAP_TOKEN"},
	} {
		path := filepath.Join(root, ".github/workflows", name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := lint(path, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, key := range keys {
			if err := lint(path, []byte(strings.Replace(string(text), key, "wrong."+key, 1))); err == nil {
				t.Errorf("%s: actionlint accepts wrong.%s", name, key)
			}
		}
	}
}

// A form is an issue form, of which GitHub shows nothing where a key is wrong.
type form struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Labels      []string `json:"labels"`
	Body        []struct {
		Type       string `json:"type"`
		ID         string `json:"id"`
		Attributes struct {
			Label       string `json:"label"`
			Description string `json:"description"`
			Value       string `json:"value"`
			Render      string `json:"render"`
		} `json:"attributes"`
		Validations struct {
			Required bool `json:"required"`
		} `json:"validations"`
	} `json:"body"`
}

func TestIssueForms(t *testing.T) {
	for _, name := range []string{"bug.yml", "feature.yml"} {
		f := strict[form](t, ".github/ISSUE_TEMPLATE/"+name)
		if f.Name == "" || f.Description == "" || len(f.Body) == 0 {
			t.Errorf("%s lacks a name, a description, or a body", name)
		}
		for _, b := range f.Body {
			isField := b.ID != "" && b.Attributes.Label != "" && (b.Type == "input" || b.Type == "textarea")
			if isText := b.Type == "markdown" && b.Attributes.Value != ""; !isField && !isText {
				t.Errorf("%s: found %+v; expected an input or textarea with id and label, or markdown with a value",
					name, b)
			}
		}
	}
}

// run runs a command in the project, and returns what it prints and how it ends.
func run(env []string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = project, append(os.Environ(), env...)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// wrong is a config that check refuses.
func wrong(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(path, []byte("name: wrong\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAction runs the step of the Action with the inputs that action.yml gives it.
func TestAction(t *testing.T) {
	type step struct {
		ID, Uses, Shell, Run string
		Env                  map[string]string
		With                 map[string]string
	}
	type action struct {
		Name, Description string
		Branding          map[string]string
		Inputs            map[string]struct {
			Description, Default string
			Required             bool
		}
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []step
		}
	}
	a := strict[action](t, "action.yml")
	build := a.Runs.Steps[1]
	if a.Runs.Using != "composite" || build.ID != "build" || build.Shell != "bash" ||
		build.Run != `"$GITHUB_ACTION_PATH/scripts/action"` {
		t.Fatalf("found %+v; expected a composite action whose second step runs scripts/action", a.Runs)
	}
	work := t.TempDir()
	output := filepath.Join(work, "penguins")
	inputs := map[string]string{"${{ inputs.config }}": "configs/penguins.yaml", "${{ inputs.output }}": output}
	root, err := filepath.Abs(project)
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GITHUB_ACTION_PATH=" + root, "GITHUB_OUTPUT=" + filepath.Join(work, "output"),
		"GITHUB_STEP_SUMMARY=" + filepath.Join(work, "summary")}
	for name, value := range build.Env {
		env = append(env, name+"="+inputs[value])
	}
	if said, err := run(env, "bash", "-e", "-c", build.Run); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	given, err := os.ReadFile(filepath.Join(work, "output"))
	if want := "report=" + output + "/_tfr/report.html\n"; err != nil || string(given) != want {
		t.Errorf("found the outputs %q, %v; expected %q", given, err, want)
	}
	if _, err := os.Stat(filepath.Join(output, "_tfr/report.html")); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(work, "summary")); err != nil ||
		!strings.HasPrefix(string(text), "`built "+output+" train=278 ") {
		t.Errorf("found the summary %q, %v", text, err)
	}
	if said, err := run(append(env, "CONFIG="+wrong(t), "OUTPUT="+filepath.Join(work, "none")), "bash", "-e", "-c",
		build.Run); err == nil || !strings.Contains(said, "wrong.yaml") {
		t.Errorf("a wrong config: found %v\n%s", err, said)
	}
	testReportPaths(t, env, build.Run)
}

// testReportPaths runs the step with other paths of the output.
func testReportPaths(t *testing.T, env []string, script string) {
	t.Helper()
	dir := t.TempDir()
	data := filepath.Join(dir, "a.csv")
	config := filepath.Join(dir, "a.yaml")
	text := "name: a\nversion: 1.2.0\noutput: out\nsource: {csv: a.csv}\nsplit: {fractions: {train: 50%, test: " +
		"50%}}\nfeatures: {a: int64}\nprovenance: true\n"
	err := os.WriteFile(data, []byte("a\n1\n2\n3\n"), 0o666)
	if err = errors.Join(err, os.WriteFile(config, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ output, report, said string }{
		{output: "a b/{version}", report: "a b/1.2.0/_tfr/report.html"},
		{output: "a b/{version}", report: "a b/1.2.0/_tfr/report.html"}, // up to date
		{output: "plain", report: "plain/_tfr/report.html"},
		{output: "x\nsecret=evil", said: "the output has a line break"},
		{output: "x\rsecret=evil", said: "the output has a line break"},
	} {
		outputs := filepath.Join(t.TempDir(), "outputs")
		said, err := run(append(env, "CONFIG="+config, "OUTPUT="+filepath.Join(dir, c.output),
			"GITHUB_OUTPUT="+outputs), "bash", "-e", "-c", script)
		given, errRead := os.ReadFile(outputs)
		if c.said != "" {
			if err == nil || !strings.Contains(said, c.said) || errRead == nil {
				t.Errorf("%q: found %v and the outputs %q; expected %q and no output\n%s", c.output, err, given,
					c.said, said)
			}
			continue
		}
		statement := filepath.Join(filepath.Dir(filepath.Join(dir, c.report)), "provenance.json")
		if want := "report=" + filepath.Join(dir, c.report) + "\nstatement=" + statement + "\n"; err != nil ||
			string(given) != want {
			t.Errorf("%q: found the outputs %q, %v; expected %q\n%s", c.output, given, err, want, said)
		}
		for _, name := range []string{filepath.Join(dir, c.report), statement} {
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestHook runs the hook of pre-commit as pre-commit does, with several configs.
func TestHook(t *testing.T) {
	type hook struct {
		ID, Name, Description, Language, Entry string
		Types                                  []string
	}
	hooks := strict[[]hook](t, ".pre-commit-hooks.yaml")
	if len(hooks) != 1 || hooks[0].Language != "golang" {
		t.Fatalf("found %+v; expected a hook that pre-commit installs with Go", hooks)
	}
	work := t.TempDir()
	if said, err := run([]string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-o", work,
		"./cmd/tfr-build"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	path := "PATH=" + work + ":" + os.Getenv("PATH")
	check := func(configs string) (string, error) {
		return run([]string{path}, "bash", "-c", hooks[0].Entry+" "+configs)
	}
	if said, err := check("configs/penguins.yaml configs/photos.yaml"); err != nil {
		t.Errorf("two configs: %v\n%s", err, said)
	}
	for _, configs := range []string{wrong(t) + " configs/penguins.yaml", "configs/penguins.yaml " + wrong(t)} {
		if said, err := check(configs); err == nil || !strings.Contains(said, "wrong.yaml") {
			t.Errorf("%s: found %v\n%s", configs, err, said)
		}
	}
}
