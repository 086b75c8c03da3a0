//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// TestAnswer builds the dataset of Flink's answer, without Flink, and compares the shards.
func TestAnswer(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", answerFile))
	if err != nil {
		t.Fatalf("%v; run make oracles", err)
	}
	var got answer
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeTable(filepath.Join(dir, "table.csv"), answerRows); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte(dataset), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Build(t.Context(), cfg, pipeline.Run{Workers: 2, Memory: 1 << 28}); err != nil {
		t.Fatal(err)
	}
	shards, err := digest(filepath.Join(dir, "local"), shardNames)
	if err != nil {
		t.Fatal(err)
	}
	if got.Asked != asked() || got.Version != versions() {
		t.Error("the config, or a version of Flink or Beam, changed; run make oracles")
	}
	if got.Shards != shards || got.Tasks == 0 {
		t.Errorf("Flink built the shards %s in %d tasks, package pipeline %s; run make oracles", got.Shards, got.Tasks,
			shards)
	}
}
