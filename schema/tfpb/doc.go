// Package tfpb holds the protobuf messages of tensorflow.Example as generated
// Go code. The encoder of package schema and the reader of package dataset are
// tested against it. Only tests import it: a name can be registered once per program, so a
// program that also links TensorFlow's own messages would panic.
//
//	Example ── Features ── map<string, Feature>
//	                                      └─ one of BytesList, FloatList, Int64List
//
// The files *.pb.go are made from the .proto files next to them; the commands
// below make them again, with protoc and protoc-gen-go v1.36.12 on the PATH.
package tfpb

//go:generate protoc -I../.. --go_out=../.. --go_opt=module=tfr-build schema/tfpb/feature.proto schema/tfpb/example.proto
