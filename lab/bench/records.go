package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// What is made for the groups of this file.
const (
	pixels      = 784
	pixelRows   = 20_000    // of the CSV file of pixels
	mnistRows   = 60_000    // of the IDX files
	arrayRows   = 250_000   // of the array of 1 GB
	arrayRow    = 4096      // bytes of one
	records     = 1_000_000 // of the TFRecord files of 1 GB
	recordFiles = 8
)

// records are the groups of values that are stored completely, and of records that were
// written before.
func (b *bench) records() []group {
	return []group{
		{
			name:  "784 columns of a CSV file",
			input: b.makePixels,
			contenders: []contender{
				b.ours("one list", "pixels.yaml", "-sync=false"),
				b.ours("tensor", "pixels-tensor.yaml", "-sync=false"),
				b.ours("raw", "pixels-raw.yaml", "-sync=false"),
			},
			goals: []goal{{of: "tensor", to: "one list", limit: 1.1}, {of: "raw", to: "one list", limit: 1.1}},
		},
		{
			name:  "an array of 1 GB",
			input: b.makeArray,
			contenders: []contender{
				b.ours("1 worker", "array.yaml", "-sync=false", "-workers", "1"),
				{name: "cp", args: []string{"cp", b.path("array.npy"), "%s"}},
			},
			goals: []goal{{of: "1 worker", limit: 1000}},
		},
		{
			name:  "60,000 images of MNIST's size from IDX",
			input: b.makeMNIST,
			contenders: []contender{
				b.ours("without fsync", "mnist.yaml", "-sync=false"),
				{name: "numpy and TensorFlow", args: []string{b.python, "-c", mnistByTensorFlow, b.path("mnist-images"),
					b.path("mnist-labels"), "%s"}},
			},
			goals: []goal{{of: "without fsync", limit: 250}, {of: "without fsync", to: "numpy and TensorFlow",
				limit: 0.05}},
		},
		{
			name:  "1 GB of TFRecords written again, shuffled",
			input: b.makeRecords,
			contenders: []contender{
				b.ours("without fsync", "reshard.yaml", "-sync=false"),
				{name: "cp", args: []string{"cp", "-r", b.path("records"), "%s"}},
				{name: "TensorFlow, without shuffling", args: []string{b.python, "-c", reshardByTensorFlow,
					b.path("records"), "%s"}, once: true},
			},
			goals: []goal{{of: "without fsync", to: "cp", limit: 1.5},
				{of: "without fsync", to: "TensorFlow, without shuffling", limit: 0.1}},
		},
		{
			name:  "OFRecord",
			input: b.makeOFRecord,
			contenders: []contender{
				b.ours("TFRecord", "csv.yaml", "-sync=false"),
				b.ours("OFRecord", "csv-ofrecord.yaml", "-sync=false"),
			},
			goals: []goal{{of: "OFRecord", to: "TFRecord", limit: 1}},
		},
		{
			name:  "WebDataset",
			input: b.makePhotos,
			contenders: []contender{
				b.ours("TFRecord", "photos.yaml", "-sync=false"),
				b.ours("tar", "photos-samples.yaml", "-sync=false"),
				{name: "ShardWriter", says: true,
					args: b.script("write_dataset.py", "webdataset", b.path("photos"), "%s", "10000")},
			},
			goals: []goal{{of: "tar", to: "TFRecord", limit: 1.1},
				{of: "ShardWriter", to: "tar", limit: 8, least: true}},
		},
	}
}

const mnistByTensorFlow = `
import sys
import numpy as np
import tensorflow as tf

images = np.frombuffer(open(sys.argv[1], "rb").read(), np.uint8, offset=16).reshape(-1, 28, 28)
labels = np.frombuffer(open(sys.argv[2], "rb").read(), np.uint8, offset=8)

def ints(x):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[x]))

with tf.io.TFRecordWriter(sys.argv[3]) as out:
    for image, label in zip(images, labels):
        example = tf.train.Example(features=tf.train.Features(feature={
            "height": ints(28), "width": ints(28), "label": ints(int(label)),
            "image_raw": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
        }))
        out.write(example.SerializeToString())
`

const reshardByTensorFlow = `
import glob
import sys
import tensorflow as tf

with tf.io.TFRecordWriter(sys.argv[2]) as out:
    for record in tf.data.TFRecordDataset(sorted(glob.glob(sys.argv[1] + "/*"))):
        out.write(record.numpy())
`

// makeOnce makes a file, and the configs that go with it.
func (b *bench) makeOnce(name string, configs map[string]string, fill func(io.Writer) error) error {
	for name, text := range configs {
		if err := b.write(name, text); err != nil {
			return err
		}
	}
	path := b.path(name)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "making", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func (b *bench) makePixels() error {
	config := func(how string) string {
		return "name: pixels\noutput: out\nsource:\n  csv: {files: pixels.csv}\nfeatures:\n" +
			"  image: {from: \"p{0..783}\", type: " + how + "}\nshards: 2\n"
	}
	configs := map[string]string{
		"pixels.yaml":        config("int64"),
		"pixels-tensor.yaml": config("uint8, tensor: true"),
		"pixels-raw.yaml":    config("uint8, raw: true"),
	}
	return b.makeOnce("pixels.csv", configs, func(w io.Writer) error {
		header := make([]string, pixels)
		for i := range header {
			header[i] = fmt.Sprintf("p%d", i)
		}
		fmt.Fprintln(w, strings.Join(header, ","))
		r := rand.New(rand.NewPCG(7, 84))
		for range pixelRows {
			for i := range header {
				header[i] = fmt.Sprint(pixel(r))
			}
			fmt.Fprintln(w, strings.Join(header, ","))
		}
		return nil
	})
}

// pixel is one as in images of digits: black, mostly.
func pixel(r *rand.Rand) byte {
	if x := r.IntN(5); x > 0 {
		return 0
	}
	return byte(r.IntN(256))
}

func (b *bench) makeArray() error {
	configs := map[string]string{"array.yaml": "name: array\noutput: out\nsource:\n  arrays: {columns: {x: " +
		"array.npy}}\nfeatures:\n  x: {raw: true}\nshards: 8\n"}
	return b.makeOnce("array.npy", configs, func(w io.Writer) error {
		dict := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }", arrayRows, arrayRow)
		dict += strings.Repeat(" ", 128-10-1-len(dict)) + "\n"
		fmt.Fprintf(w, "\x93NUMPY\x01\x00%c%c%s", len(dict)&0xff, len(dict)>>8, dict)
		row := make([]byte, arrayRow)
		for i := range arrayRows {
			binary.LittleEndian.PutUint64(row[i%500*8:], uint64(i))
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *bench) makeMNIST() error {
	configs := map[string]string{"mnist.yaml": `name: mnist
output: out
source:
  arrays: {columns: {image: mnist-images, label: mnist-labels}}
features:
  image_raw: {from: image, raw: true}
  height: {value: 28}
  width: {value: 28}
  label: {type: int64}
shards: 2
`}
	r := rand.New(rand.NewPCG(28, 28))
	err := b.makeOnce("mnist-images", configs, func(w io.Writer) error {
		if err := binary.Write(w, binary.BigEndian, []uint32{0x803, mnistRows, 28, 28}); err != nil {
			return err
		}
		row := make([]byte, pixels)
		for range mnistRows {
			for i := range row {
				row[i] = pixel(r)
			}
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.makeOnce("mnist-labels", nil, func(w io.Writer) error {
		if err := binary.Write(w, binary.BigEndian, []uint32{0x801, mnistRows}); err != nil {
			return err
		}
		labels := make([]byte, mnistRows)
		for i := range labels {
			labels[i] = byte(r.IntN(10))
		}
		_, err := w.Write(labels)
		return err
	})
}

// makeRecords makes TFRecord files of records of 1 kB, which are Examples of one
// text.
func (b *bench) makeRecords() error {
	configs := map[string]string{"reshard.yaml": "name: reshard\noutput: out\nsource:\n  tfrecord: {files: " +
		"\"records/*\"}\nrecord: {bytes: record}\nshards: 8\n"}
	r := rand.New(rand.NewPCG(10, 24))
	for file := range recordFiles {
		err := b.makeOnce(fmt.Sprintf("records/part-%d", file), configs, func(w io.Writer) error {
			payload := append([]byte("\x0a\xd5\x07\x0a\xd2\x07\x0a\x04text\x12\xc9\x07\x0a\xc6\x07\x0a\xc3\x07"),
				make([]byte, 963)...)
			for range records / recordFiles {
				binary.LittleEndian.PutUint64(payload[len(payload)-8:], r.Uint64())
				if err := writeRecord(w, payload); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRecord frames a payload as a TFRecord.
func writeRecord(w io.Writer, payload []byte) error {
	sum := func(p []byte) uint32 {
		return bits.RotateLeft32(crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli)), -15) + 0xa282ead8
	}
	head := binary.LittleEndian.AppendUint64(nil, uint64(len(payload)))
	head = binary.LittleEndian.AppendUint32(head, sum(head))
	for _, p := range [][]byte{head, payload, binary.LittleEndian.AppendUint32(nil, sum(payload))} {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) makeOFRecord() error {
	if err := b.makeTable("table", b.rows); err != nil {
		return err
	}
	return b.write("csv-ofrecord.yaml", tableConfig("csv", "table.csv", 2)+"format: ofrecord\n")
}
