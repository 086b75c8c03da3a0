//! Prints the Examples of TFRecord files: a JSON object a record, by feature a list of values.
//! Bytes are their hexadecimal digits, floats their 32 bits, so that nothing is rounded.
use tfrecord::{ExampleIter, FeatureKind};

fn values(feature: tfrecord::Feature) -> Vec<String> {
    let hex = |b: &Vec<u8>| b.iter().map(|x| format!("{x:02x}")).collect::<String>();
    match feature.into_kinds() {
        Some(FeatureKind::Bytes(v)) => v.iter().map(|b| format!("\"{}\"", hex(b))).collect(),
        Some(FeatureKind::F32(v)) => v.iter().map(|x| x.to_bits().to_string()).collect(),
        Some(FeatureKind::I64(v)) => v.iter().map(|x| x.to_string()).collect(),
        None => vec![],
    }
}

fn main() {
    for path in std::env::args().skip(1) {
        for example in ExampleIter::open(&path, Default::default()).expect("a TFRecord file") {
            let features = example.expect("an Example").into_iter();
            let fields = features.map(|(key, f)| format!("\"{key}\":[{}]", values(f).join(",")));
            println!("{{{}}}", fields.collect::<Vec<_>>().join(","));
        }
    }
}
