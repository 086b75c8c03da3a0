package dataset

import (
	"cmp"
	_ "embed" // for the text of the reader
	"fmt"

	"tfr-build/message"
	"tfr-build/schema"
)

// torchBody is TorchReaderName without its constants, equal in all datasets.
//
//go:embed python/torch_reader.py
var torchBody string

// isForTorch reports whether the dataset has TorchReaderName: NumPy can parse its records.
func (info *Info) isForTorch() bool {
	return info.Format().Torch && info.Record.Message.Readers().Torch != ""
}

const torchHead = `"""Reads the dataset %s, version %s, with PyTorch, or with NumPy alone.

    import sys
    sys.path.append("DATASET/_tfr")
    import torch_reader
    from torch.utils.data import DataLoader

    for batch in DataLoader(torch_reader.Dataset("train", batch_size=32), batch_size=None, num_workers=2):
        ...

It needs neither TensorFlow nor, to be looped over by itself, PyTorch. tfr-build
wrote this file together with the dataset. It is found to be changed by tfr-build
verify: copy it to change it, and pass the directory.
"""

import gzip
import json
import multiprocessing
import os
import struct
import zlib
from multiprocessing.context import get_spawning_popen

import numpy as np

try:
    import torch
    import torch.distributed
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError:
    torch, IterableDataset = None, object

    def get_worker_info():
        return None

`

const torchMissing = `
# What is read where a record has no value; of a text, the empty one.
MISSING = {"int64": np.int64(-(2**63)), "float": np.float32("nan")}
`

// torchScript returns the content of TorchReaderName: Python code that reads the dataset without
// TensorFlow.
func torchScript(info *Info) []byte {
	s := newScript(info)
	s.add(torchHead, s.Name, s.Version)
	s.add("%sCOMPRESSION = %q\n%s", scriptDirectory, pythonCompression(s.Compression), torchMissing)
	payload := ""
	if s.Record.Message.IsColumn() {
		payload = s.Record.Message.Readers().Torch
	}
	s.add("\n# What a record is where it is no message with features: string or bytes.\nPAYLOAD = %q\n", payload)
	s.add("\n# How a feature is stored, its dtype, its shape, in which -1 is any number, and\n# whether a record may " +
		"lack it. PyTorch gets uint16 as int32, uint32 and uint64 as\n# int64, and bfloat16 as float32.\n")
	s.addDict("FEATURES", s.features, torchFeature)
	s.add("\n# The lists of a record, in their order, and whether it may lack one.\n")
	s.addTorchLists()
	s.add("%s%s", scriptSplits, torchBody)
	s.addFolds()
	s.addClasses()
	return s.text.Bytes()
}

func torchFeature(f *schema.Stored) string {
	stored := cmp.Or(string(f.Packing), torchLists[f.List])
	return fmt.Sprintf("(%q, %q, %s, %s)", stored, torchDtype(f), pythonShape(f.Shape), pythonBool(f.IsOptional()))
}

// torchDtype returns the dtype of a feature. If a value may be missing, it is the dtype of
// MISSING.
func torchDtype(f *schema.Stored) string {
	switch {
	case f.Type == schema.BytesType:
		return "bytes"
	case f.IsPacked():
		return f.Type.Dtype()
	case f.List == message.FloatList:
		return "float32"
	case f.List == message.Int64List && cast(f) == "":
		return "int64"
	}
	return f.Type.String()
}

// torchLists are the names of the lists.
var torchLists = map[message.List]string{message.BytesList: "bytes", message.FloatList: "float",
	message.Int64List: "int64"}

// addTorchLists adds the lists of a record in their order, which is sorted by key.
func (s *script) addTorchLists() {
	s.add("LISTS = {\n")
	for _, e := range s.Record.Entries() {
		s.add("    %s: (%q, %s),\n", pythonString(e.Key), torchLists[e.List], pythonBool(e.IsOptional()))
	}
	s.add("}\n")
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
