import { all, make } from './elements.js'
import { keyField, labelled, pretty, send, statusOf } from './requests.js'

const fieldsOf = ({ params = {}, query = {}, body }) => {
  const asked = make('input', { class: 'mono', autocomplete: 'off' })
  asked.value = new URLSearchParams(query).toString()
  const text = make('textarea', { spellcheck: 'false' })
  text.value = JSON.stringify(body ?? {}, null, 2)
  const inPath = Object.keys(params).map((name) => [name, make('input', { class: 'mono', autocomplete: 'off' })])
  return { inPath, asked, text }
}

const addressOf = ({ path }, { inPath, asked }) => {
  const empty = inPath.find(([, field]) => field.value.trim() === '')
  if (empty) throw new Error(`Please give ${empty[0]}.`)
  const filled = inPath.reduce(
    (whole, [name, field]) => whole.replace(`{${name}}`, encodeURIComponent(field.value.trim())),
    path,
  )
  return asked.value.trim() === '' ? filled : `${filled}?${asked.value.trim()}`
}

const formOf = (request) => {
  const { method, body } = request
  const fields = fieldsOf(request)
  const out = make('div', { 'aria-live': 'polite' })
  const go = make('button', { type: 'button' }, 'Send')
  go.addEventListener('click', async () => {
    go.disabled = true
    try {
      const result = await send(method, addressOf(request, fields), body === undefined ? undefined : fields.text.value)
      out.replaceChildren(statusOf(result), ...(result.answer === undefined ? [] : [pretty(result.answer)]))
    } catch (problem) {
      out.replaceChildren(make('p', { class: 'status bad' }, problem.message))
    }
    go.disabled = false
  })
  return [
    labelled('Sandbox key (stays in this tab)', keyField()),
    ...fields.inPath.map(([name, field]) => labelled(name, field)),
    ...(method === 'GET' ? [labelled('Query', fields.asked)] : []),
    ...(body === undefined ? [] : [labelled('Body', fields.text)]),
    make('div', { class: 'row' }, go),
    out,
  ]
}

for (const place of all('[data-try]')) {
  const details = make('details', {}, make('summary', {}, 'Try it with a sandbox key'))
  details.addEventListener('toggle', () => {
    if (details.childElementCount === 1) details.append(...formOf(JSON.parse(place.dataset.try)))
  })
  place.append(details)
  place.hidden = false
}
