package dataset_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"

	"tfr-build/dataset"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

func ExampleInspect() {
	payload, err := proto.Marshal(&tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{
		"species": {Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: []int64{2}}}},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	file := tfrecord.TFRecord.Append(nil, payload)
	for _, form := range []dataset.Form{dataset.TextForm, dataset.PlainForm, dataset.ProtoForm} {
		if err := dataset.Inspect(os.Stdout, bytes.NewReader(file), "train-00000-of-00001",
			dataset.InspectOptions{Form: form}); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// record 0 at byte 0, 20 bytes
	//   species: int64 2
	// {"species":2}
	// {"features":{"feature":{"species":{"int64List":{"value":["2"]}}}}}
}

func ExampleVerifyRecords() {
	dir, err := os.MkdirTemp("", "verify")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "words.tfrecord")
	file := tfrecord.TFRecord.Append(tfrecord.TFRecord.Append(nil, []byte("one")), []byte("two"))
	file[len(file)-6] ^= 1
	if err := os.WriteFile(name, file, 0o644); err != nil {
		fmt.Println(err)
		return
	}
	checked, err := dataset.VerifyRecords(context.Background(), name, dataset.VerifyOptions{
		Report: func(d *dataset.DamageError) {
			fmt.Println(filepath.Base(d.File), "is damaged in record", d.Record, "at byte", d.Offset)
		},
	})
	fmt.Println(checked.Records, "record is complete,", err)
	// Output:
	// words.tfrecord is damaged in record 1 at byte 19
	// 1 record is complete, <nil>
}
