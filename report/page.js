document.querySelectorAll('#load pre').forEach(pre => {
  if (!navigator.clipboard) return;
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.firstChild.textContent);
    button.textContent = 'Copied';
  });
  pre.append(button);
});
addEventListener('keydown', e => {
  if (e.key === 'Escape') document.querySelectorAll('.thumbs details[open]').forEach(d => d.open = false);
});
(() => {
  const form = document.getElementById('filter');
  const table = document.getElementById('overview');
  if (!form || !table) return;
  const name = document.getElementById('name'), flagged = document.getElementById('flagged'), said = document.getElementById('said');
  const sorted = [...table.tBodies];
  const rows = [...sorted, ...document.querySelectorAll('#others tbody tr')];
  let names;
  const keys = () => names ||= rows.map(r => r.querySelector('bdi').textContent.toLowerCase());

  // The filter.
  const apply = () => {
    const wanted = name.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, i) => {
      const is = keys()[i].includes(wanted) && (!flagged.checked || row.classList.contains('flagged'));
      row.hidden = !is;
      shown += is;
    });
    said.textContent = wanted || flagged.checked ? shown + ' of ' + rows.length : '';
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', e => e.preventDefault());

  // The details of a feature are for those without scripts, and are made when it opens:
  // that spares nine tenths of the elements while the page loads.
  const fill = row => row.querySelectorAll('noscript').forEach(n => n.outerHTML = n.textContent);
  table.addEventListener('toggle', e => fill(e.target.closest('tbody')), true);
  addEventListener('beforeprint', () => fill(table));

  // Links to a feature open it.
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !rows.includes(target)) return;
    if (target.hidden) {
      name.value = '';
      flagged.checked = false;
      apply();
    }
    const details = target.querySelector('details');
    if (details) details.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', open);

  const all = document.getElementById('all');
  all.addEventListener('click', () => {
    const wanted = all.getAttribute('aria-pressed') !== 'true';
    all.setAttribute('aria-pressed', wanted);
    all.textContent = wanted ? 'Close all' : 'Open all';
    table.querySelectorAll('details').forEach(d => d.open = wanted);
  });

  // A header sorts by its column: first one way, then the other, then as the config does.
  const number = text => parseFloat(text.replace(/[^0-9.]/g, '')) || 0;
  const columns = [...table.tHead.rows[0].cells];
  columns.forEach((th, column) => {
    if (column === 3 || column === 5) return;
    const isName = column === 0;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = th.textContent;
    th.replaceChildren(button);
    th.setAttribute('aria-sort', 'none');
    let values;
    button.addEventListener('click', () => {
      values ||= sorted.map((row, i) => isName ? keys()[i] : row.rows[0].cells[column].textContent ? number(row.rows[0].cells[column].textContent) : -1);
      const turns = isName ? ['none', 'ascending', 'descending'] : ['none', 'descending', 'ascending'];
      const next = turns[(turns.indexOf(th.getAttribute('aria-sort')) + 1) % 3];
      columns.forEach(other => other.hasAttribute('aria-sort') && other.setAttribute('aria-sort', 'none'));
      th.setAttribute('aria-sort', next);
      const order = sorted.map((_, i) => i);
      const sign = next === 'ascending' ? 1 : -1;
      if (next !== 'none') order.sort((a, b) => sign * (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : 0) || a - b);
      table.append(...order.map(i => sorted[i]));
    });
  });

  // The values and counts of a column of a chart show when the pointer is over it.
  const legend = document.querySelector('#features .legend bdi');
  table.addEventListener('pointerover', e => {
    const chart = e.target.closest('svg[data-n]');
    if (!chart) return;
    const [counts, ...edges] = chart.dataset.n.split('|');
    chart.removeAttribute('data-n');
    const columns = counts.split(' ').map(n => parseInt(n, 36)), bins = columns.length;
    const total = columns.reduce((a, b) => a + b, 0);
    const number = text => +text.replace('−', '-').replace(/,/g, '');
    const edge = i => edges.length > 2 || bins < 2 ? edges[i] : +(number(edges[0]) + i / bins * (number(edges[1]) - number(edges[0]))).toPrecision(4);
    columns.forEach((n, i) => {
      const rect = document.createElementNS(chart.namespaceURI, 'rect'), title = document.createElementNS(chart.namespaceURI, 'title');
      const low = edges.length > 1 && edge(i), high = edges.length > 1 && edge(i + 1);
      const of = edges.length === 1 ? String(number(edges[0]) + i) : edges.length === bins ? edges[i] : low === '' ? 'up to ' + high : high === '' ? low + ' and more' : low + ' to ' + high;
      title.textContent = of + ': ' + n.toLocaleString('en-US') + (legend ? ' in ' + legend.textContent : '') + ', ' + (100 * n / total).toPrecision(3) + '%';
      const places = {x: 44 + i * 400 / bins, y: 8, width: 400 / bins, height: 112, class: 'hit'};
      for (const key in places) rect.setAttribute(key, places[key]);
      rect.append(title);
      chart.append(rect);
    });
  });

  form.hidden = false;
  if (name.value || flagged.checked) apply();
  open();
})();
