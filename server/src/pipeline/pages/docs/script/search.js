import { make, root } from './elements.js'

// Search: every word must stand in the entry; a title counts more than the text below it.
const input = document.querySelector('#search')
const found = document.querySelector('#found')
document.querySelector('.finder').hidden = false
// A phone has no key to press.
if (matchMedia('(hover: hover) and (pointer: fine)').matches) input.placeholder = 'Search (press /)'
let entries
const load = () => {
  entries ??= fetch(document.body.dataset.search).then((response) => response.json())
  return entries
}
const weigh = ([title, kind, , words], terms) => {
  const [head, text] = [title.toLowerCase(), words.toLowerCase()]
  let weight = kind === 'Guide' ? 2 : 0
  for (const term of terms) {
    if (head === term) weight += 40
    else if (head.includes(term)) weight += head.startsWith(term) ? 20 : 12
    else if (text.includes(term)) weight += 3
    else return 0
  }
  return weight
}
const around = (words, term) => {
  const at = words.toLowerCase().indexOf(term)
  const from = Math.max(0, at - 40)
  return `${from > 0 ? '…' : ''}${words.slice(from, from + 110)}${words.length > from + 110 ? '…' : ''}`
}
const close = () => {
  found.hidden = true
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}
const show = async () => {
  const text = input.value.trim().toLowerCase()
  const terms = text.split(/\s+/).filter(Boolean)
  if (terms.length === 0) return close()
  const known = await load()
  if (input.value.trim().toLowerCase() !== text) return
  const best = known
    .map((entry) => ({ entry, weight: weigh(entry, terms) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 12)
  const rows = best.map(({ entry: [title, kind, path, words] }, index) =>
    make(
      'li',
      { role: 'option', id: `found-${index}`, 'aria-selected': String(index === 0) },
      make(
        'a',
        { href: root + path, tabindex: '-1', click: close },
        make('b', {}, title),
        make('small', {}, `${kind} · ${around(words, terms[0])}`),
      ),
    ),
  )
  found.replaceChildren(...(rows.length > 0 ? rows : [make('li', { class: 'none' }, 'Nothing found.')]))
  found.hidden = false
  input.setAttribute('aria-expanded', 'true')
  if (rows.length > 0) input.setAttribute('aria-activedescendant', 'found-0')
}
const move = (step) => {
  const rows = [...found.querySelectorAll('[role=option]')]
  if (rows.length === 0) return
  const at = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true')
  const next = rows[(at + step + rows.length) % rows.length]
  rows[at]?.setAttribute('aria-selected', 'false')
  next.setAttribute('aria-selected', 'true')
  next.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', next.id)
}
input.addEventListener('focus', load, { once: true })
input.addEventListener('input', () => void show())
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close()
  else if (event.key === 'ArrowDown') move(1)
  else if (event.key === 'ArrowUp') move(-1)
  else if (event.key === 'Enter') found.querySelector('[aria-selected=true] a')?.click()
  else return
  event.preventDefault()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.finder')) close()
})
document.addEventListener('keydown', (event) => {
  const isWriting = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  if ((event.key !== '/' || isWriting) && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  input.focus()
})
