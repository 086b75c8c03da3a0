package dataset

// addSequenceExample adds a module for records that are a SequenceExample.
func (s *script) addSequenceExample() {
	s.addHead("context, sequence", "import json\nimport os\n\nimport numpy as np")
	s.add(scriptMissing + scriptOptional)
	s.addHelpers()
	s.add("\n\n# As tf.io.parse_sequence_example takes them, for a batch of records.\n")
	s.addDict("CONTEXT", s.features, spec)
	s.addDict("SEQUENCE", s.sequence, spec)
	s.add("\n# What is not read as it is stored.\n")
	s.addDict("CONTEXT_CASTS", s.features, cast)
	s.addDict("SEQUENCE_CASTS", s.sequence, cast)
	s.addDecoded("CONTEXT_DECODED", "SEQUENCE_DECODED")
	s.add(scriptParseSequence)
	s.addDecode("context", "CONTEXT_DECODED", s.features, "shape")
	s.addDecode("sequence", "SEQUENCE_DECODED", s.sequence, "shape")
	s.add("    return context, sequence\n")
	s.addRecords()
	s.add("%s", scriptDataset)
}

// Steps of different lengths are read as flat rows, because the rows of a sequence without steps
// have no inner shape.
const scriptSteps = `

def _steps(decode):
    """Reads each step of a list; steps of any number of values are ragged."""

    def read(steps, dtype, shape):
        if not shape or shape[0] >= 0:
            return tf.map_fn(lambda s: decode(s, dtype, shape), steps, fn_output_signature=tf.TensorSpec(shape, dtype))
        flat = tf.RaggedTensorSpec([None], dtype, ragged_rank=0)
        rows = tf.map_fn(lambda s: tf.reshape(decode(s, dtype, shape), [-1]), steps, fn_output_signature=flat)
        inner = int(np.prod(shape[1:], dtype=int))
        return tf.RaggedTensor.from_row_lengths(tf.reshape(rows.values, shape), rows.row_lengths() // inner)

    return read
`

const scriptParseSequence = `

def parse(record):
    """Returns the features of one serialized SequenceExample by key: those of its
    context, and its feature lists, whose first dimension is the steps. Steps of
    any number of values are a RaggedTensor."""
    context, sequence = tf.io.parse_single_sequence_example(record, CONTEXT, SEQUENCE)
    for key, dtype in CONTEXT_CASTS.items():
        context[key] = tf.cast(context[key], dtype)
    for key, dtype in SEQUENCE_CASTS.items():
        sequence[key] = tf.cast(sequence[key], dtype)
`
