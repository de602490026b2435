import { curlSample } from '@integrity/protocol/samples/curl-sample'
import { goSample } from '@integrity/protocol/samples/go-sample'
import { pythonSample } from '@integrity/protocol/samples/python-sample'
import type { SampleRequest } from '@integrity/protocol/samples/request-of'
import { typescriptSample } from '@integrity/protocol/samples/typescript-sample'
import { endpointTable } from '../../generated/desk-endpoints.ts'
import type { DeskText } from '../../words/desk.ts'

const languages = { curl: curlSample, typescript: typescriptSample, python: pythonSample, go: goSample } as const
export type SampleLanguage = keyof typeof languages
export const sampleLanguages: readonly { readonly value: SampleLanguage; readonly label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'go', label: 'Go' },
]

interface Task {
  readonly text: DeskText
  readonly input: SampleRequest['input']
}

/** The first things that a program does, by the endpoint that does each. */
const tasks = {
  'orgs.me': { text: 'developersTask.me', input: {} },
  'sessions.create': { text: 'developersTask.schedule', input: { body: { candidateLabel: 'Candidate 12' } } },
  'sessions.list': { text: 'developersTask.list', input: { query: { limit: 20 } } },
  'events.stream': { text: 'developersTask.stream', input: {} },
} as const satisfies Partial<Record<keyof typeof endpointTable, Task>>
export type SampleTask = keyof typeof tasks

const isTask = (id: string): id is SampleTask => Object.hasOwn(tasks, id)
export const sampleTasks = Object.keys(tasks).filter(isTask)
export const taskText = (id: SampleTask): DeskText => tasks[id].text
export const taskOf = (id: string): SampleTask => (isTask(id) ? id : 'orgs.me')
export const languageOf = (name: string): SampleLanguage =>
  sampleLanguages.find(({ value }) => value === name)?.value ?? 'curl'

/** A program that does it; it finds the service and its key in `BASE_URL` and `API_KEY`. */
export const sampleText = (language: SampleLanguage, id: SampleTask): string => {
  const [method = 'GET', path = '', kind] = endpointTable[id].split(' ')
  const input: SampleRequest['input'] = tasks[id].input
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString()
  return languages[language]({
    id,
    method,
    input,
    path: query === '' ? path : `${path}?${query}`,
    contentType: input.body === undefined ? undefined : 'application/json',
    isWrite: method !== 'GET',
    kind: kind === 'sse' ? 'sse' : 'json',
  })
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Where the service is and the key, for a shell. */
export const settingsText = (baseUrl: string, key: string): string =>
  `export BASE_URL=${quoted(baseUrl)}\nexport API_KEY=${quoted(key)}`
