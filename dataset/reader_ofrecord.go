package dataset

import (
	"fmt"

	"tfr-build/schema"
)

// addOFRecord adds a module for records that are an OFRecord. It does not need TensorFlow.
func (s *script) addOFRecord() {
	s.add(scriptHead, s.Name, s.Version, "protobuf alone", "example")
	s.add("import json\nimport os\n\nfrom google.protobuf import descriptor_pb2, descriptor_pool, message_factory\n" +
		scriptDirectory)
	s.add("\n# The shape of each feature; -1 is any number, and [] one value.\n")
	s.addDict("FEATURES", s.features, func(f *schema.Stored) string {
		if f.IsPacked() {
			return "[]"
		}
		return pythonShape(f.Shape)
	})
	s.add("\n# What is not read as it is stored.\n")
	s.addDict("CASTS", s.features, func(f *schema.Stored) string {
		switch {
		case f.IsPacked():
		case f.Type == schema.BoolType:
			return "bool"
		case f.Type == schema.StringType:
			return "bytes.decode"
		}
		return ""
	})
	if hasPacked(s.features) {
		s.add("\n# What is stored as bytes: the arguments of numpy.frombuffer(…, dtype).reshape(shape).\n")
		s.addDict("RAW", s.features, func(f *schema.Stored) string {
			if !f.IsPacked() {
				return ""
			}
			return fmt.Sprintf("(%q, %s)", f.Type.Dtype(), pythonShape(f.Shape))
		})
	}
	s.add("%s%s%s", scriptOFRecord, scriptSplits, scriptOFRecordDataset)
}

const scriptOFRecord = `

def _message():
    """Returns the class of the message oneflow.OFRecord."""
    form = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="record.proto", package="oneflow", syntax="proto2")
    lists = [("Bytes", form.TYPE_BYTES), ("Float", form.TYPE_FLOAT), ("Double", form.TYPE_DOUBLE)]
    lists += [("Int32", form.TYPE_INT32), ("Int64", form.TYPE_INT64)]
    feature = file.message_type.add(name="Feature")
    feature.oneof_decl.add(name="kind")
    for number, (name, values) in enumerate(lists, 1):
        value = file.message_type.add(name=name + "List").field.add(name="value", number=1, type=values, label=form.LABEL_REPEATED)
        value.options.packed = values != form.TYPE_BYTES
        one = feature.field.add(name=name.lower() + "_list", number=number, type=form.TYPE_MESSAGE, label=form.LABEL_OPTIONAL)
        one.type_name, one.oneof_index = ".oneflow." + name + "List", 0
    record = file.message_type.add(name="OFRecord")
    entry = record.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=form.TYPE_STRING, label=form.LABEL_OPTIONAL)
    entry.field.add(name="value", number=2, type=form.TYPE_MESSAGE, label=form.LABEL_OPTIONAL, type_name=".oneflow.Feature")
    entries = record.field.add(name="feature", number=1, type=form.TYPE_MESSAGE, label=form.LABEL_REPEATED)
    entries.type_name = ".oneflow.OFRecord.FeatureEntry"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("oneflow.OFRecord"))


OFRecord = _message()


def _values(record, key):
    """Returns the values of a feature as it is stored; None where there are none."""
    if key not in record.feature:
        return None
    feature = record.feature[key]
    kind = feature.WhichOneof("kind")
    return list(getattr(feature, kind).value) if kind else []


def _rows(values, lengths):
    at, rows = 0, []
    for n in lengths:
        rows.append(values[at : at + n])
        at += n
    return rows


def _feature(record, key, shape):
    rank = max(0, shape.count(-1) - 1)  # how many dimensions have rows of their own lengths
    values = _values(record, key + "/ragged_flat_values" if rank else key)
    if values is None:
        return None
    if key in CASTS:
        values = [CASTS[key](v) for v in values]
    for n in reversed(shape[rank + 1 :]):
        values = [values[i : i + n] for i in range(0, len(values), n)]
    for i in reversed(range(rank)):
        values = _rows(values, _values(record, f"{key}/ragged_row_lengths_{i}"))
    return values if shape else values[0]


def parse(record):
    """Returns the features of an OFRecord by key: a value, or lists as its shape
    says; None where the record has no value. FEATURES says which there are."""
    return {key: _feature(record, key, shape) for key, shape in FEATURES.items()}
`

const scriptOFRecordDataset = `

def files(split, directory=DIRECTORY):
    """Returns the paths of the shards of a split or of a list of splits, in order."""
    with open(os.path.join(directory, "_tfr", "manifest.json"), encoding="utf-8") as f:
        chosen = _chosen(split, json.load(f), directory)
    return [os.path.join(directory, shard["name"]) for one in chosen for shard in one["shards"]]


def records(split, directory=DIRECTORY):
    """Yields the records of a split or of a list of splits as messages, in order."""
    for path in files(split, directory):
        with open(path, "rb") as f:
            while size := f.read(8):
                n = int.from_bytes(size, "little")
                payload = f.read(n)
                if len(size) < 8 or len(payload) < n:
                    raise EOFError(path + " ends within a record")
                yield OFRecord.FromString(payload)


def dataset(split, directory=DIRECTORY):
    """Yields the parsed records of a split or of a list of splits, in order."""
    return map(parse, records(split, directory))
`
