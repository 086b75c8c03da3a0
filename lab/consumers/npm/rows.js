// Prints the Examples of TFRecord files: a JSON object a record, by feature a list of values.
// Bytes are their hexadecimal digits, floats their 32 bits, so that nothing is rounded.
const tfrecord = require('tfrecord');

function values(feature) {
  if (feature.bytesList) return feature.bytesList.value.map(b => `"${Buffer.from(b).toString('hex')}"`);
  if (feature.floatList) return Array.from(new Uint32Array(Float32Array.from(feature.floatList.value).buffer));
  return feature.int64List ? feature.int64List.value.map(String) : [];
}

async function main(paths) {
  for (const path of paths) {
    const reader = await tfrecord.createReader(path, {crc32c: true});
    for (let example; (example = await reader.readExample()); ) {
      const fields = Object.entries(example.features.feature).map(([key, f]) => `"${key}":[${values(f).join(',')}]`);
      console.log(`{${fields.join(',')}}`);
    }
  }
}

main(process.argv.slice(2));
