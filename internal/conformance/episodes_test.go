package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// episodeForms put the steps of an episode into a record, whose nested dataset TFDS reads.
var episodeForms = []form{
	{"jsonl, episodes", "source: {jsonl: {files: 'in/*.jsonl'}}\nshards: 2\n" + someFractions +
		"group: {by: [vendor, zone], sort: id, windows: {length: 8, last: keep}, dataset: steps}\n" +
		"derive: {is_first: '@step == 0', is_last: '@step == @steps - 1'}\n" +
		"features: {metadata/vendor: {from: vendor, type: string}, steps/id: {from: id, type: int64}, " +
		"steps/at: {from: '@step', type: int64}, steps/is_first: {from: is_first, type: bool}, " +
		"steps/is_last: {from: is_last, type: bool}, steps/state/xy: {from: [trip.distance, id], type: float, shape: " +
		"[2]}}\n", jsonFiles},
}

// TestEpisodesAreRead has TFDS read records with a nested dataset, as whole episodes and as windows; the script
// compares every step with the line of it. A sample has the page of RLDS instead.
func TestEpisodesAreRead(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("the page docs/tools/rlds.md is read in a sample")
	}
	tftest.Python(t)
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(4, 7))
	arm := func() string { return []string{"left", "right"}[r.IntN(2)] }
	var b strings.Builder
	for i := range 40 {
		picture := image.NewRGBA(image.Rect(0, 0, 1+r.IntN(9), 1+r.IntN(9)))
		for at := range picture.Pix {
			picture.Pix[at] = byte(r.Uint32()) | 255*byte(at&3/3)
		}
		frame, err := fmt.Sprintf("%d.jpg", i), error(nil)
		var data bytes.Buffer
		if i%3 == 0 {
			frame, err = fmt.Sprintf("%d.png", i), png.Encode(&data, picture)
		} else {
			err = jpeg.Encode(&data, picture, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, filepath.Join("frames", frame), data.Bytes())
		episode := r.IntN(5)
		fmt.Fprintf(&b, `{"episode": "%c%d", "at": %d, "frame": %q, "action": [%d.25, -0.1], "reward": 0.%d, `,
			'a'+episode%2, episode, r.IntN(1000)-500, frame, r.IntN(9), i)
		fmt.Fprintf(&b, `"arm": %q, "arms": ["left", %q], "box": [0.1, 0, 0.5, 1], "text": "étape %d"}`+"\n",
			arm(), arm(), i)
	}
	write(t, dir, "steps.jsonl", []byte(b.String()))
	const text = `name: d
output: out
order: source
source:
  jsonl: steps.jsonl
LOADderive:
  kind: substr(episode, 0, 1)
  is_first: "@step == 0"
  is_last: "@step == @steps - 1"
features:
IMAGE  steps/observation/at: {from: at, type: int64, pad: -1}
  steps/action: {from: action.*, type: float, shape: [2], pad: 0}
  steps/reward: {from: reward, type: float, pad: -1}
  steps/is_first: {from: is_first, type: bool, pad: false}
  steps/is_last: {from: is_last, type: bool, pad: false}
  steps/arm: {from: arm, classes: [none, left, right], pad: none}
  steps/arms: {from: arms.*, classes: [none, left, right], shape: [2], pad: none}
  steps/box: {from: box.*, type: float, shape: [4], tfds: BBox, pad: 0}
  steps/text: {from: text, type: string, pad: "-"}
  episode_metadata/name: {from: episode, type: string}
  episode_metadata/kind: {from: kind, classes: [a, b], take: first}
  length: {from: "@steps", type: int64}
`
	const windows = ", windows: {length: 4, stride: 3, last: "
	for name, more := range map[string]string{"whole": "", "keep": windows + "keep}", "pad": windows + "pad}"} {
		for _, format := range []string{"tfrecord", "array_record"} {
			dataset := name
			if format != "tfrecord" {
				dataset += "_" + format
			}
			load, feature := "  load: {image: {dir: frames, path: '{frame}'}}\n",
				"  steps/observation/image: {from: image}\n"
			if name == "pad" { // no image is padding
				load, feature = "", ""
			}
			features := strings.NewReplacer("LOAD", load, "IMAGE", feature).Replace(text)
			group := fmt.Sprintf("format: %s\ngroup: {by: episode, sort: at, dataset: steps%s}\n", format, more)
			write(t, dir, dataset+".yaml", []byte(features+group))
			build(t, filepath.Join(dir, dataset+".yaml"), filepath.Join(dir, dataset, "1.0.0"), pipeline.Run{})
		}
	}
	tftest.Run(t, filepath.Join("testdata", "episodes.py"), dir)
}
