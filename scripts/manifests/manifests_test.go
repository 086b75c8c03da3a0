// Package manifests holds what docs/how-to/many-machines.md and docs/how-to/engines.md give to engines against
// the types of their own clients, or what else knows their formats: a key that they do
// not know is an error.
package manifests

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/batch"
	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// blocks are the blocks of a language on a page that hold a text.
func blocks(t *testing.T, name, language, text string) (list []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/how-to/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range strings.Split(string(page), "```"+language+"\n")[1:] {
		if block, _, _ := strings.Cut(rest, "```"); strings.Contains(block, text) {
			list = append(list, block)
		}
	}
	if len(list) == 0 {
		t.Fatalf("docs/how-to/%s has no %s with %s", name, language, text)
	}
	return list
}

// valid wants a text to be taken, and the text with a wrong key to be refused.
func valid(t *testing.T, text, key string, decode func(string) error) {
	t.Helper()
	if err := decode(text); err != nil {
		t.Error(err)
	}
	wrong := strings.Replace(text, key, key[:len(key)-1]+"x", 1)
	if err := decode(wrong); err == nil || wrong == text {
		t.Errorf("without %s it is taken, too", key)
	}
}

func TestJob(t *testing.T) {
	for _, text := range blocks(t, "many-machines.md", "yaml", "kind: Job") {
		valid(t, text, "onPodConditions", func(text string) error {
			return yaml.UnmarshalStrict([]byte(text),
				new(batchv1.Job))
		})
	}
}

func TestCronJob(t *testing.T) {
	for _, text := range blocks(t, "engines.md", "yaml", "kind: CronJob") {
		valid(t, text, "concurrencyPolicy", func(text string) error {
			return yaml.UnmarshalStrict([]byte(text),
				new(batchv1.CronJob))
		})
	}
}

func TestArrayOfAWSBatch(t *testing.T) {
	for _, text := range blocks(t, "many-machines.md", "json", "arrayProperties") {
		valid(t, text, "evaluateOnExit", func(text string) error {
			d := json.NewDecoder(bytes.NewReader([]byte(text)))
			d.DisallowUnknownFields()
			return d.Decode(new(batch.SubmitJobInput))
		})
	}
}
