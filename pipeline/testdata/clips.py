# Parses SequenceExamples of clips with TensorFlow, and compares their frames with the files.
import glob, pathlib, sys
import tensorflow as tf
root, out = map(pathlib.Path, sys.argv[1:3])
seen = set()
for record in tf.data.TFRecordDataset(sorted(glob.glob(f"{out}/*-of-*"))):
    context, lists = tf.io.parse_single_sequence_example(
        record, {"clip": tf.io.FixedLenFeature([], tf.string), "frames": tf.io.FixedLenFeature([], tf.int64)},
        {"image": tf.io.FixedLenSequenceFeature([], tf.string)})
    clip = context["clip"].numpy().decode()
    files = sorted((root / clip).glob("*.jpg"), key=lambda p: p.name.encode())
    assert [p.read_bytes() for p in files] == list(lists["image"].numpy()), clip
    assert context["frames"].numpy() == len(files), clip
    tf.io.decode_jpeg(lists["image"][0])
    seen.add(clip)
assert seen == {p.name for p in root.iterdir()}, seen
