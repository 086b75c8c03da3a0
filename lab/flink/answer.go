//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// answerRows is the number of rows of the dataset that Flink's answer is about: so few that a test builds it
// again.
const answerRows = 30_000

// answerFile has the answer, below the project.
const answerFile = "testdata/oracles/apache-flink.json"

// An answer is what Flink built of a table with answerRows rows.
type answer struct {
	Oracle  string `json:"oracle"`
	Version string `json:"version"`
	Date    string `json:"date"`
	Asked   string `json:"asked"`  // digest of the config, and of the versions of Flink and Beam
	Tasks   int    `json:"tasks"`  // number of tasks that Flink ran
	Shards  string `json:"shards"` // digest of the names and bytes of all shards
}

var beamVersion = regexp.MustCompile(`<artifactId>(beam-[^<]+)</artifactId>\s*<version>([^<]+)</version>`)

// versions returns the versions of Flink and of Beam's job server.
func versions() string {
	list := "flink " + flinkVersion
	for _, m := range beamVersion.FindAllSubmatch(pom, -1) {
		list += fmt.Sprintf(", %s %s", m[1], m[2])
	}
	return list
}

// asked returns a digest of everything that decides what Flink builds, besides the programs.
func asked() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(dataset+flinkVersion+string(pom))))
}

// record has Flink build the dataset once, and writes its answer.
func (t *trial) record(project string) error {
	o, err := t.round("answer", rounds[0])
	if err != nil {
		return err
	}
	if !o.same {
		return errors.New("the bytes differ from the output of tfr-build")
	}
	a := answer{Oracle: "Apache Flink", Version: versions(), Date: time.Now().UTC().Format(time.DateOnly),
		Asked: asked(), Tasks: o.tasks, Shards: o.shards}
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println("wrote", answerFile)
	return os.WriteFile(filepath.Join(project, answerFile), append(data, '\n'), 0o644)
}
