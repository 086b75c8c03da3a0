package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"gopkg.in/yaml.v3"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// A workflow has the fields of an Argo workflow that these tests use.
type workflow struct {
	Spec struct {
		Entrypoint string
		Templates  []struct {
			Name      string
			Steps     [][]step // groups, one after another
			Container struct{ Args []string }
		}
	}
}

// A step runs a template, once or for each item.
type step struct {
	Name, Template string
	WithSequence   *struct{ Count string } `yaml:"withSequence"`
	Arguments      struct {
		Parameters []struct{ Name, Value string }
	}
}

// runWorkflow runs the steps of an Argo workflow: the groups in order, the steps of a group in parallel.
func runWorkflow(t *testing.T, dir string, b *block) {
	checkWorkflow(t, b)
	var w workflow
	if err := yaml.Unmarshal([]byte(b.text), &w); err != nil {
		t.Fatal(err)
	}
	containers := map[string][]string{}
	for _, template := range w.Spec.Templates {
		containers[template.Name] = template.Container.Args
	}
	ran := 0
	for _, template := range w.Spec.Templates {
		if template.Name != w.Spec.Entrypoint {
			continue
		}
		for _, group := range template.Steps {
			var running errgroup.Group
			for _, s := range group {
				for _, args := range s.commands(t, containers[s.Template]) {
					ran++
					running.Go(func() error { return runTask(t, dir, s.Name, args) })
				}
			}
			if err := running.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran < 5 {
		t.Errorf("%d steps ran, expected at least 5", ran)
	}
}

// commands returns the arguments of each process of a step.
func (s *step) commands(t *testing.T, args []string) (list [][]string) {
	t.Helper()
	items := 1
	if s.WithSequence != nil {
		var err error
		if items, err = strconv.Atoi(s.WithSequence.Count); err != nil {
			t.Fatal(err)
		}
	}
	for item := range items {
		var replacements []string
		for _, p := range s.Arguments.Parameters {
			replacements = append(replacements, "{{inputs.parameters."+p.Name+"}}",
				strings.ReplaceAll(p.Value, "{{item}}", strconv.Itoa(item)))
		}
		replaced := make([]string, len(args))
		for i, arg := range args {
			replaced[i] = strings.NewReplacer(replacements...).Replace(arg)
		}
		list = append(list, replaced)
	}
	return list
}

func runTask(t *testing.T, dir, name string, args []string) error {
	cmd := exec.Command(testenv.Program(t), args...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("step %s %q: %w\n%s", name, args, err, output)
	}
	return nil
}

// checkWorkflow compares a workflow with Argo's types, if a Python with them is configured. It also
// checks that they find a misspelled key.
func checkWorkflow(t *testing.T, b *block) {
	if os.Getenv(tftest.PythonVar) == "" {
		return
	}
	for _, text := range []string{b.text, strings.Replace(b.text, "retryPolicy", "retryPolcy", 1)} {
		var manifest map[string]any
		if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(tftest.Python(t), filepath.Join("testdata", "workflow.py"))
		cmd.Stdin = bytes.NewReader(data)
		output, err := cmd.CombinedOutput()
		if isValid := text == b.text; isValid != (err == nil) {
			t.Fatalf("%v\n%s", err, output)
		} else if !isValid && !strings.Contains(string(output), "retryPolcy") {
			t.Errorf("the error does not name the misspelled key: %s", output)
		}
	}
}
