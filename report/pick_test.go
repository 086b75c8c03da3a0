package report_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/arrayrecord"
	"tfr-build/dataset"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/reporttest"
	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/pixels/jpeg"
	"tfr-build/report"
	"tfr-build/statistics"
	"tfr-build/tfrecord"
)

// A made is a made-up dataset: its shards by their names.
type made struct {
	t        *testing.T
	manifest dataset.Manifest
	document statistics.Document
	shards   map[string][]byte
	read     int64           // bytes
	class    func(i int) int // of a record of a shard
}

// features are those of the records of a made dataset.
func features(list message.List, keys ...string) (all []statistics.Feature) {
	for _, key := range keys {
		all = append(all, statistics.Feature{Key: key, List: list})
	}
	return all
}

func newMade(t *testing.T, order, compression string) *made {
	m := &made{t: t, shards: map[string][]byte{}}
	m.manifest = dataset.Manifest{Order: order, Compression: compression}
	m.document.Features = append(features(message.BytesList, "label", "x/image"),
		features(message.FloatList, "o/xmin", "o/ymin", "o/xmax", "o/ymax", "q/bbox")...)
	m.document.Features[1].Kind = statistics.Image
	return m
}

// add adds a shard of records, whose images are the data.
func (m *made) add(split string, images ...[]byte) {
	m.t.Helper()
	c, err := tfrecord.ParseCompression(m.manifest.Compression)
	if err != nil {
		m.t.Fatal(err)
	}
	var file bytes.Buffer
	var w interface {
		Write([]byte) error
		Close() error
	} = tfrecord.NewWriter(&file, tfrecord.TFRecord, c)
	if m.manifest.Framing != "" {
		if w, err = arrayrecord.NewWriter(&file, arrayrecord.None); err != nil {
			m.t.Fatal(err)
		}
	}
	for i, data := range images {
		class := 0
		if m.class != nil {
			class = m.class(i)
		}
		if err := w.Write(m.payload(data, class)); err != nil {
			m.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		m.t.Fatal(err)
	}
	if n := len(m.manifest.Splits); n == 0 || m.manifest.Splits[n-1].Name != split {
		m.manifest.Splits = append(m.manifest.Splits, dataset.Split{Name: split})
	}
	s := &m.manifest.Splits[len(m.manifest.Splits)-1]
	name := fmt.Sprintf("%s-%05d", split, len(s.Shards))
	s.Shards = append(s.Shards, dataset.Shard{Name: name, Records: int64(len(images)), Bytes: int64(file.Len())})
	s.Records += int64(len(images))
	m.shards[name] = file.Bytes()
}

func (m *made) payload(image []byte, class int) []byte {
	m.t.Helper()
	line := `{"features":{"feature":{"label":{"bytesList":{"value":["bm8gaW1hZ2U="]}},"x/image":{"bytesList":{"value":["` +
		base64.StdEncoding.EncodeToString(image) + `"]}},` +
		`"o/xmin":{"floatList":{"value":[0.25,0.5,-1]}},"o/ymin":{"floatList":{"value":[0.125,0.5,0]}},` +
		`"o/xmax":{"floatList":{"value":[0.75,"NaN",1]}},"o/ymax":{"floatList":{"value":[0.5,1,1]}},` +
		`"q/bbox":{"floatList":{"value":[0,0.25,0.5,0.75]}},"class":{"int64List":{"value":["` + strconv.Itoa(class) +
		`"]}}}}}`
	var p message.Parser
	payload, _, err := p.Parse(nil, []byte(line))
	if err != nil {
		m.t.Fatal(err)
	}
	return payload
}

// A counted counts what is read of a shard.
type counted struct {
	*bytes.Reader
	read *int64
}

func (c counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	*c.read += int64(n)
	return n, err
}

func (c counted) Close() error { return nil }

var errNoShard = errors.New("no such shard")

func (m *made) open(name string) (report.ShardFile, error) {
	data, ok := m.shards[name]
	if !ok {
		return nil, errNoShard
	}
	return counted{bytes.NewReader(data), &m.read}, nil
}

// picked returns the places of the images: split, shard, record.
func (m *made) picked(n int) []string {
	m.t.Helper()
	thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, n)
	if err != nil {
		m.t.Fatal(err)
	}
	var places []string
	for _, t := range thumbs {
		if t.Key != "x/image" || !strings.HasPrefix(t.Shard, t.Split) || len(t.JPEG) == 0 {
			m.t.Errorf("%s %s %s %d: %d bytes", t.Split, t.Shard, t.Key, t.Record, len(t.JPEG))
		}
		places = append(places, fmt.Sprint(t.Shard, ":", t.Record))
	}
	return places
}

// picture is a small JPEG file.
func picture(t *testing.T) []byte {
	t.Helper()
	pix := make([]byte, 64*48)
	for i := range pix {
		pix[i] = byte(i * i)
	}
	var e jpeg.Encoder
	data, err := e.Append(nil, pix, 64, 48, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// repeated is an image many times.
func repeated(data []byte, n int) [][]byte { return slices.Repeat([][]byte{data}, n) }

func TestPickedRecords(t *testing.T) {
	photo := picture(t)
	for order, want := range map[string]string{
		"shuffled": "train-00000:0 train-00000:1 train-00001:0 train-00001:1 test-00000:0 test-00000:1 test-00000:2 " +
			"test-00000:3",
		"source": "train-00000:0 train-00000:4 train-00001:0 train-00001:4 test-00000:0 test-00000:1 test-00000:2 " +
			"test-00000:3",
	} {
		for _, framing := range []string{"", "array_record"} {
			m := newMade(t, order, "none")
			m.manifest.Framing = framing
			m.add("train", repeated(photo, 8)...)
			m.add("train", repeated(photo, 9)...)
			m.add("empty")
			m.add("test", repeated(photo, 5)...)
			if got := strings.Join(m.picked(8), " "); got != want {
				t.Errorf("%s %s: %s, want %s", order, framing, got, want)
			}
		}
	}
	m := newMade(t, "source", "gzip")
	m.add("train", repeated(photo, 8)...)
	if got := strings.Join(m.picked(2), " "); got != "train-00000:0 train-00000:1" {
		t.Errorf("compressed: %s", got)
	}
}

// TestPicksReadLittle counts the bytes that are read of a shard in source order.
func TestPicksReadLittle(t *testing.T) {
	photo := append(picture(t), make([]byte, 200_000)...)
	m := newMade(t, "source", "none")
	m.add("train", repeated(photo, 40)...)
	m.picked(2)
	if most := int64(2*len(photo) + 50*5000); m.read > most {
		t.Errorf("%d bytes were read, of %d at most", m.read, most)
	}
}

// TestBoxes draws the boxes of the first list whose features, unit, and image are known.
func TestBoxes(t *testing.T) {
	photo := picture(t)
	m := newMade(t, "shuffled", "none")
	m.add("train", photo)
	edges := report.BoxList{Keys: []string{"o/xmin", "o/ymin", "o/xmax", "o/ymax"}, Layout: "xyxy", Unit: "relative"}
	unknown := edges
	unknown.Unit = "" // and the document has no numbers above 1
	missing := report.BoxList{Keys: []string{"o/bbox"}, Layout: "yxyx", Unit: "relative"}
	other := report.BoxList{Keys: []string{"q/bbox"}, Layout: "xyxy", Unit: "relative", Image: "y/image"}
	all := report.BoxList{Keys: []string{"q/bbox"}, Layout: "yxyx", Unit: "relative", Image: "x/image"}
	ofEdges := [][4]float64{{0.25, 0.125, 0.75, 0.5}, {0, 0, 1, 1}}
	for _, c := range []struct {
		name  string
		lists []report.BoxList
		want  [][4]float64
	}{
		{"none", nil, nil},
		{"edges", []report.BoxList{edges, all}, ofEdges},
		{"the second list", []report.BoxList{missing, other, all, edges}, [][4]float64{{0.25, 0, 0.75, 0.5}}},
		{"of another image", []report.BoxList{other}, nil},
		{"unknown unit", []report.BoxList{unknown}, nil},
	} {
		thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{Boxes: c.lists}, 1)
		if err != nil || len(thumbs) != 1 || !slices.Equal(thumbs[0].Boxes, c.want) {
			t.Errorf("%s: %v (%v), want %v", c.name, thumbs[0].Boxes, err, c.want)
		}
	}
}

// TestBadImages makes tiles of what is not an image and, exhaustively, of all images of
// the corpora.
func TestBadImages(t *testing.T) {
	m := newMade(t, "shuffled", "none")
	m.add("train", []byte("no image"), nil, picture(t)[:300])
	thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 9)
	if err != nil || len(thumbs) != 3 || len(thumbs[0].JPEG)+len(thumbs[1].JPEG) > 0 {
		t.Errorf("%d thumbs (%v)", len(thumbs), err)
	}
	if !testenv.Exhaustive() {
		return
	}
	var s report.Scratch
	for _, sample := range imagetest.All(t) {
		if thumb := reporttest.Thumb(&s, sample.Data, nil, report.ThumbHeight); len(thumb.JPEG) > 20_000 {
			t.Errorf("%s: a thumbnail of %d bytes", sample.Name, len(thumb.JPEG))
		}
	}
}

func TestBadShards(t *testing.T) {
	for name, break_ := range map[string]func(m *made, data []byte){
		"payload": func(_ *made, data []byte) { data[len(data)/2] ^= 1 },
		"head":    func(_ *made, data []byte) { data[3] ^= 1 },
		"cut":     func(m *made, data []byte) { m.shards["train-00000"] = data[:len(data)/2] },
		"missing": func(m *made, _ []byte) { delete(m.shards, "train-00000") },
		"fewer": func(m *made, _ []byte) {
			m.manifest.Splits[0].Shards[0].Records, m.manifest.Splits[0].Records = 2, 2
		},
	} {
		m := newMade(t, "shuffled", "none")
		m.add("train", picture(t))
		break_(m, m.shards["train-00000"])
		_, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 3)
		if err == nil || !strings.Contains(err.Error(), "train-00000") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "missing" && !errors.Is(err, errNoShard) || name == "fewer" && !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoImages is about datasets that have none.
func TestNoImages(t *testing.T) {
	for name, change := range map[string]func(m *made){
		"no image": func(m *made) { m.document.Features = m.document.Features[:1] },
		"text":     func(m *made) { m.manifest.Record = "text" },
		"nothing":  func(m *made) { m.manifest.Splits = nil },
	} {
		m := newMade(t, "shuffled", "none")
		m.add("train", picture(t))
		change(m)
		if thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 3); err != nil ||
			thumbs != nil {
			t.Errorf("%s: %d (%v)", name, len(thumbs), err)
		}
	}
}

// TestOrientations turns photos that were stored in all ways: they look the same.
func TestOrientations(t *testing.T) {
	var s report.Scratch
	for i, photo := range imagetest.Photos(t) {
		if i%4 != 1 && !testenv.Exhaustive() {
			continue
		}
		thumb := reporttest.Thumb(&s, photo.Data, nil, report.ThumbHeight)
		if landscape := strings.Contains(photo.Name, "andscape"); landscape != (thumb.Width > thumb.Height) ||
			len(thumb.JPEG) == 0 {
			t.Errorf("%s is seen as %d × %d", photo.Name, thumb.Width, thumb.Height)
		}
	}
}

func BenchmarkThumbnail(b *testing.B) {
	photos := imagetest.Photos(b)
	var s report.Scratch
	for i := 0; b.Loop(); i++ {
		reporttest.Thumb(&s, photos[i%len(photos)].Data, nil, report.ThumbHeight)
	}
}

// TestLargeImages makes fewer images where decoding would take long, and none of
// those that would take much memory.
func TestLargeImages(t *testing.T) {
	data := picture(t)
	at := bytes.Index(data, []byte{0xff, 0xc0})
	copy(data[at+5:], []byte{2000 >> 8, 2000 & 255, 60000 >> 8, 60000 & 255})
	m := newMade(t, "shuffled", "none")
	m.add("train", repeated(data, 9)...)
	thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 8)
	if err != nil || len(thumbs) != 4 {
		t.Fatalf("%d images (%v), want 4", len(thumbs), err)
	}
	if thumb := thumbs[0]; len(thumb.JPEG) > 0 || thumb.Width != 60000 || thumb.Height != 2000 {
		t.Errorf("an image of %d × %d is shown", thumb.Width, thumb.Height)
	}
}

// TestLongRecords reads no record of more than 64 MiB, and none behind it where it would have to be read for that.
func TestLongRecords(t *testing.T) {
	long := make([]byte, 64<<20)
	for compression, want := range map[string]int{"none": 3, "gzip": 2} {
		m := newMade(t, "shuffled", compression)
		m.add("train", picture(t), long, picture(t))
		thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 8)
		if err != nil || len(thumbs) != want {
			t.Fatalf("%s: %d images (%v), want %d", compression, len(thumbs), err, want)
		}
		if len(thumbs[0].JPEG) == 0 || len(thumbs[1].JPEG) > 0 || thumbs[1].Record != 1 {
			t.Errorf("%s: record %d has a thumbnail of %d bytes", compression, thumbs[1].Record, len(thumbs[1].JPEG))
		}
	}
}

// TestSequence takes the first step of the images of a SequenceExample.
func TestSequence(t *testing.T) {
	image := base64.StdEncoding.EncodeToString(picture(t))
	for _, line := range []string{
		`{"context":{"feature":{"x/image":{"bytesList":{"value":["` + image +
			`"]}}}},"featureLists":{"featureList":{"steps":{"feature":[{"int64List":{"value":["1"]}}]}}}}`,
		`{"context":{"feature":{}},"featureLists":{"featureList":{"x/image":{"feature":[{"bytesList":{"value":["` +
			image + `"]}},{"bytesList":{"value":["bm8="]}}]}}}}`,
	} {
		var p message.Parser
		payload, _, err := p.Parse(nil, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		m := newMade(t, "shuffled", "none")
		m.add("train", nil)
		m.manifest.Record = "sequence"
		shard := &m.manifest.Splits[0].Shards[0]
		m.shards[shard.Name] = tfrecord.TFRecord.Append(nil, payload)
		shard.Bytes = int64(len(m.shards[shard.Name]))
		if got := m.picked(1); len(got) != 1 {
			t.Errorf("%d images of %.60s", len(got), line)
		}
	}
}

// TestThumbnailsOfRareClasses has thumbnails of classes that are rare, as many as of others if the
// first records have them, and the usual number in all.
func TestThumbnailsOfRareClasses(t *testing.T) {
	var e jpeg.Encoder
	photo, err := e.Append(nil, make([]byte, 16*16), 16, 16, 1, &jpeg.Options{Quality: 50})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		order, compression, framing string
		rare                        int // one record in so many
		want                        map[string]int
	}{
		"shuffled":     {"shuffled", "none", "", 4, map[string]int{"common": 6, "rare": 6}},
		"compressed":   {"shuffled", "gzip", "", 4, map[string]int{"common": 6, "rare": 6}},
		"array record": {"shuffled", "none", "array_record", 4, map[string]int{"common": 6, "rare": 6}},
		"very rare":    {"shuffled", "none", "", 20, map[string]int{"common": 10, "rare": 2}},
		"in order":     {"source", "none", "", 3, map[string]int{"common": 8, "rare": 4}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMade(t, c.order, c.compression)
			m.manifest.Framing = c.framing
			m.document.Features = append(m.document.Features, statistics.Feature{
				Key: "class", List: message.Int64List, Kind: statistics.Class, Classes: []string{"common", "rare"},
				Splits: []statistics.Values{{Most: 1}},
			})
			m.class = func(i int) int {
				if i%c.rare == c.rare-1 {
					return 1
				}
				return 0
			}
			m.add("train", slices.Repeat([][]byte{photo}, 60)...)
			thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, 12)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, thumb := range thumbs {
				got[thumb.Class]++
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("%v; want %v", got, c.want)
			}
		})
	}
}
