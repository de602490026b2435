import { all, make } from './elements.js'
import { keep, kept, local } from './memory.js'

// Languages of the samples.
const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python', go: 'Go' }
const choose = (language) => {
  document.documentElement.dataset.language = language
  keep(local, 'docs-language', language)
  for (const button of all('.tabs button')) button.setAttribute('aria-pressed', String(button.value === language))
}
for (const samples of all('.samples'))
  samples.before(
    make(
      'div',
      { class: 'tabs', role: 'group', 'aria-label': 'Language of the program' },
      ...Object.entries(languages).map(([value, title]) =>
        make('button', { type: 'button', value, click: () => choose(value) }, title),
      ),
    ),
  )
const before = kept(local, 'docs-language')
choose(Object.hasOwn(languages, before ?? '') ? before : 'curl')

for (const pre of all('pre.code')) {
  const copy = make('button', { type: 'button', class: 'copy' }, 'Copy')
  copy.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(pre.querySelector('code').textContent)
    copy.textContent = 'Copied'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 1500)
  })
  pre.append(copy)
}
