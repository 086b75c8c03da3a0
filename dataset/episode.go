package dataset

import "strings"

// This file describes a record of several rows for TFDS as RLDS has it: the features of a row are
// a nested Dataset, and keys with / are names in dictionaries.
//
//	steps/observation/image     episode["steps"], a dataset of {"observation": {"image": …}}
//	episode_metadata/file       episode["episode_metadata"]["file"]

// isStep reports whether the feature of a key has a value for each element of the nested Dataset.
func (info *Info) isStep(key string) bool {
	return info.Steps != "" && strings.HasPrefix(key, info.Steps+"/")
}

// labelName returns the name of the label file that TFDS expects for a key.
func (info *Info) labelName(key string) string {
	mark := "."
	if info.Steps != "" {
		mark = "-" // TFDS joins the names of nested dictionaries
	}
	return strings.ReplaceAll(key, "/", mark) + ".labels.txt"
}

// episode returns the connector of a record with a nested Dataset.
func (info *Info) episode(connectors map[string]node) node {
	root := node{}
	for key, c := range connectors {
		names := strings.Split(key, "/")
		in := root
		for _, name := range names[:len(names)-1] {
			if in[name] == nil {
				in[name] = featuresDict(node{})
			}
			in = in[name].(node)["featuresDict"].(node)["features"].(node)
		}
		in[names[len(names)-1]] = c
	}
	root[info.Steps] = node{
		"pythonClassName": pythonPackage + "dataset_feature.Dataset",
		"sequence":        node{"feature": root[info.Steps], "length": int64s(-1)},
	}
	return featuresDict(root)
}
