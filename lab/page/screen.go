package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A finding is what a page showed.
type finding struct {
	load   time.Duration // the best of several times
	bytes  int64
	faults []string
}

// times is how often a page is loaded.
const times = 5

// openPage opens a page on a screen, in a tab of its own, and takes screenshots.
func openPage(browser context.Context, file string, s screen, out string) (*finding, error) {
	tab, closeTab := chromedp.NewContext(browser)
	defer closeTab()
	tab, cancel := context.WithTimeout(tab, 60*time.Second)
	defer cancel()
	url, err := address(file)
	if err != nil {
		return nil, err
	}
	w := watch(tab, url)
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	err = chromedp.Run(tab, network.Enable(), log.Enable(), runtime.Enable(),
		emulation.SetDeviceMetricsOverride(s.width, s.height, 1, s.width < 500),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}}))
	if err != nil {
		return nil, err
	}
	var f finding
	for range times {
		var milliseconds float64
		if err := chromedp.Run(tab, chromedp.Navigate(url), chromedp.Evaluate(loadTime, &milliseconds)); err != nil {
			return nil, err
		}
		if took := time.Duration(milliseconds * float64(time.Millisecond)); f.load == 0 || took < f.load {
			f.load = took
		}
	}
	if err := f.check(tab); err != nil {
		return nil, err
	}
	f.faults = append(f.faults, w.found()...)
	slices.Sort(f.faults)
	f.faults = slices.Compact(f.faults) // each load shows them again
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	f.bytes = info.Size()
	name := strings.TrimSuffix(filepath.Base(file), ".html") + "-" + s.name
	return &f, shoot(tab, filepath.Join(out, name))
}

// loadTime is when the page had loaded, from the start of its navigation, in
// milliseconds.
const loadTime = `performance.getEntriesByType('navigation')[0].loadEventEnd`

// faults is JavaScript that lists the defects of a report, by kind.
const faults = `(() => {
  const list = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(e =>
      e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, pre'));
    list.push('scrolls sideways: ' + root.scrollWidth + ' of ' + innerWidth + ' pixels: ' +
      wide.slice(0, 3).map(e => e.tagName + '.' + e.getAttribute('class')));
  }
  if (document.title === 'ran') list.push('a name of the data was run');
  if (!document.title.endsWith('dataset report')) list.push('the title is ' + document.title);
  const count = selector => document.querySelectorAll(selector).length;
  if (count('script') !== 1 || count('style') !== 1) list.push('there are other scripts or styles');
  if (count('[style], base, iframe, object, embed, [onerror], [onload], [onmouseover]'))
    list.push('there are elements or attributes that the page does not have');
  for (const tag of ['header', 'nav', 'main', 'footer', 'h1']) if (count(tag) !== 1) list.push('not one ' + tag);
  for (const e of document.querySelectorAll('svg'))
    if (e.getAttribute('aria-hidden') !== 'true' && !e.getAttribute('aria-label')) list.push('a drawing without a name');
  for (const e of document.querySelectorAll('img'))
    if (!e.alt && !e.closest('summary')?.textContent.trim()) list.push('a picture without a name');
  for (const e of document.querySelectorAll('[id]'))
    if (count('#' + CSS.escape(e.id)) > 1) { list.push('two of id ' + e.id); break; }
  for (const e of document.querySelectorAll('a[href^="#"]'))
    if (!document.getElementById(e.getAttribute('href').slice(1)))
      list.push('a link to ' + e.getAttribute('href') + ', which is not there');
  const broken = [...document.images].filter(e => e.complete && !e.naturalWidth).length;
  if (broken) list.push(broken + ' pictures cannot be shown');
  return list;
})()`

// filtering types a name into the filter, and says how many features are left.
const filtering = `(() => {
  const name = document.getElementById('name');
  if (!name) return [];
  const rows = [...document.querySelectorAll('#overview > tbody, #others > tbody > tr')];
  const first = rows.length ? rows[0].querySelector('bdi').textContent.trim() : '';
  name.value = first;
  name.dispatchEvent(new Event('input', {bubbles: true}));
  const wrong = rows.filter(r =>
    r.hidden === r.querySelector('bdi').textContent.toLowerCase().includes(first.toLowerCase()));
  name.value = '';
  name.dispatchEvent(new Event('input', {bubbles: true}));
  return wrong.length ? [wrong.length + ' features are wrong with the filter ' + first] : [];
})()`

// enlarging opens a thumbnail, which covers the window then, and closes it.
const enlarging = `(() => {
  const thumb = document.querySelector('.thumbs details');
  if (!thumb) return [];
  thumb.scrollIntoView();
  thumb.open = true;
  const box = thumb.firstElementChild.getBoundingClientRect();
  const covers = box.top === 0 && box.left === 0 && box.height === innerHeight;
  thumb.open = false;
  scrollTo(0, 0);
  return covers ? [] : ['an enlarged image does not cover the window: ' + [box.left, box.top, box.width, box.height]];
})()`

// laid has all sections laid out, those too that no screen shows; opening opens the details of
// all features, or closes them; undrawn looks at what they show.
const (
	laid = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('section { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
  return [];
})()`
	opening = `(() => { document.getElementById('all')?.click(); return [] })()`
	undrawn = `(() => {
  const list = [];
  const count = document.querySelectorAll('#overview noscript').length;
  if (count) list.push(count + ' features show nothing when they are opened');
  for (const e of document.querySelectorAll('use')) {
    const box = e.getBBox();
    const shape = e.getAttribute('href');
    if (!document.querySelector(shape)) list.push('a drawing of ' + shape + ', which is not there');
    else if (box.width === 0 && e.closest('.detail')?.offsetParent) list.push('nothing is drawn of ' + shape);
  }
  return list;
})()`
)

// check asks the page, with the details of features closed and open. A thumbnail is enlarged first: laid
// takes the containment away that could keep it from covering the window.
func (f *finding) check(tab context.Context) error {
	for _, question := range []string{enlarging, laid, faults, filtering, opening, undrawn, faults, opening} {
		var list []string
		if err := chromedp.Run(tab, chromedp.Evaluate(question, &list)); err != nil {
			return err
		}
		f.faults = append(f.faults, list...)
	}
	return nil
}

// shoot takes screenshots of the first screen, and of the beginnings of sections.
func shoot(tab context.Context, name string) error {
	var first []byte
	if err := chromedp.Run(tab, chromedp.CaptureScreenshot(&first)); err != nil {
		return err
	}
	if err := os.WriteFile(name+".png", first, 0o644); err != nil {
		return err
	}
	for _, section := range []string{"classes", "images", "features", "shards"} {
		var has bool
		var picture []byte
		scroll := `(() => { const e = document.getElementById('` + section + `'); e?.scrollIntoView(); return !!e })()`
		if err := chromedp.Run(tab, chromedp.Evaluate(scroll, &has)); err != nil {
			return err
		}
		if !has {
			continue
		}
		if err := chromedp.Run(tab, chromedp.Sleep(50*time.Millisecond),
			chromedp.CaptureScreenshot(&picture)); err != nil {
			return err
		}
		if err := os.WriteFile(name+"-"+section+".png", picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A watcher notes what a tab does that it should not do.
type watcher struct {
	mu     sync.Mutex
	faults []string
}

func (w *watcher) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.faults
}

// watch listens to a tab that shows the page of that address.
func watch(tab context.Context, url string) *watcher {
	w := &watcher{}
	note := func(format string, args ...any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(tab, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != url && !strings.HasPrefix(e.Request.URL, "data:") {
				note("asks for %s", e.Request.URL)
			}
		case *log.EventEntryAdded:
			note("%s: %s", e.Entry.Source, e.Entry.Text)
		case *runtime.EventConsoleAPICalled:
			note("the console says %v", e.Args)
		case *runtime.EventExceptionThrown:
			note("%v", e.ExceptionDetails)
		}
	})
	return w
}
