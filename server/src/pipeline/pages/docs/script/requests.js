import { make, root } from './elements.js'
import { keep, kept, ofTab } from './memory.js'

// Requests with a sandbox key, which stays in this tab; the console shows them.
export const keyField = () => {
  const field = make('input', {
    type: 'password',
    placeholder: 'sk_test_…',
    autocomplete: 'off',
    spellcheck: 'false',
    class: 'key mono',
    input: () => keep(ofTab, 'docs-key', field.value.trim()),
  })
  field.value = kept(ofTab, 'docs-key') ?? ''
  return field
}
export const requestLog = () => JSON.parse(kept(ofTab, 'docs-requests') ?? '[]')
export const send = async (method, path, body) => {
  const key = kept(ofTab, 'docs-key') ?? ''
  if (!key.startsWith('sk_test_')) throw new Error('Please give a sandbox key: it begins with sk_test_.')
  const started = performance.now()
  const response = await fetch(root.replace(/\/$/, '') + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    credentials: 'omit',
  })
  const text = await response.text()
  const line = {
    at: new Date().toISOString(),
    method,
    path,
    status: response.status,
    ms: Math.round(performance.now() - started),
    requestId: response.headers.get('x-request-id'),
  }
  keep(ofTab, 'docs-requests', JSON.stringify([line, ...requestLog()].slice(0, 50)))
  return { ...line, answer: text === '' ? undefined : JSON.parse(text) }
}
export const statusOf = ({ status, ms, requestId }) =>
  make('p', { class: `status ${status < 400 ? 'good' : 'bad'}` }, `${status} · ${ms} ms · ${requestId ?? ''}`)
export const pretty = (value) =>
  make('pre', { class: 'code', tabindex: '0' }, make('code', {}, JSON.stringify(value, null, 2)))
export const labelled = (text, field) => make('label', {}, text, field)
