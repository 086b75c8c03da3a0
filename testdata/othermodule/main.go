// Command othermodule writes files and reads them, with the packages of tfr-build that are for
// other programs: schema turns rows into Examples, tfrecord frames them, and dataset verifies and
// prints the file. message reads the Examples of a store. arrayrecord has another framing, and jpeg
// encodes and decodes images.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"tfr-build/dataset"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

const table = "cat,3\ndog,7\ncat,12\ndog,1\n"

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "othermodule")
	if err == nil {
		err = errors.Join(run(filepath.Join(dir, "pets.tfrecord")), os.RemoveAll(dir))
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(name string) error {
	file, err := records()
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, file, 0o666); err != nil {
		return err
	}
	if err := count(file); err != nil {
		return err
	}
	if err := printAges(memory{"memory:pets": file}); err != nil {
		return err
	}
	if err := errors.Join(printRecord(700), printImage()); err != nil {
		return err
	}
	checked, err := dataset.VerifyRecords(context.Background(), name, dataset.VerifyOptions{
		Deep:   true,
		Report: func(d *dataset.DamageError) { fmt.Println(d) },
	})
	if err != nil {
		return err
	}
	fmt.Println(checked.Records, "records,", checked.Damages, "damaged")
	return dataset.Inspect(os.Stdout, bytes.NewReader(file), "pets", dataset.InspectOptions{})
}

// records returns a TFRecord file with an Example for each row.
func records() ([]byte, error) {
	s, err := schema.Compile(schema.Record{Features: []schema.Feature{
		{Key: "kind", Type: schema.Int64, Columns: []string{"kind"}, Classes: &schema.Classes{Names: []string{"cat", "dog"}}},
		{Key: "age", Type: schema.Float, Columns: []string{"age"}},
	}})
	if err != nil {
		return nil, err
	}
	encoder := s.NewEncoder()
	var batch tfrecord.Batch
	var file []byte
	for line := range bytes.Lines([]byte(table)) {
		kind, age, _ := bytes.Cut(bytes.TrimSpace(line), []byte(","))
		row := []schema.Value{{Kind: schema.Text, Text: kind}, {Kind: schema.Text, Text: age}}
		if file, err = encoder.Append(batch.Begin(file), row); err != nil {
			return nil, err
		}
		file = batch.End(file)
	}
	batch.Seal(file)
	return file, nil
}

// count reads the records as any program does.
func count(file []byte) error {
	r := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
	for {
		_, err := r.Next()
		if err == io.EOF {
			fmt.Println("the last record ends at byte", r.End(), "of", len(file))
			return nil
		}
		if err != nil {
			return err
		}
	}
}
