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
(() => {
  const form = document.getElementById('filter');
  if (!form) return;
  const name = document.getElementById('name'), flagged = document.getElementById('flagged'), said = document.getElementById('said');
  const rows = [...document.querySelectorAll('.feature, .lines tbody tr')];
  const keys = rows.map(r => r.querySelector('bdi').textContent.toLowerCase());
  const apply = () => {
    const wanted = name.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, i) => {
      const is = keys[i].includes(wanted) && (!flagged.checked || row.classList.contains('flagged'));
      row.hidden = !is;
      shown += is;
    });
    said.textContent = wanted || flagged.checked ? shown + ' of ' + rows.length : '';
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', e => e.preventDefault());
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {
      name.value = '';
      flagged.checked = false;
      apply();
      target.scrollIntoView();
    }
  });
  form.hidden = false;
  apply();
})();
