import { type EndpointSpec, endpoints, errorCodes, eventCatalog } from '@integrity/protocol'
import type { DocsSite } from './docs-frame.ts'
import { subjectNameOf } from './docs-subjects.ts'
import { slugOf } from './markdown.ts'

/** What the search finds: its title, its kind, its address below the service, and the words that stand there. */
type Entry = readonly [title: string, kind: string, path: string, words: string]

const plain = (text: string): string =>
  text
    .replaceAll(/[`*|#>]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const sections = ({ name, title, text }: DocsSite['chapters'][number]): Entry[] => {
  const [first = '', ...rest] = text.split(/^##+ /m)
  return [
    [title, 'Guide', `docs/guide/${name}`, plain(first)],
    ...rest.map((section): Entry => {
      const [heading = '', ...lines] = section.split('\n')
      return [`${title}: ${plain(heading)}`, 'Guide', `docs/guide/${name}#${slugOf(heading)}`, plain(lines.join('\n'))]
    }),
  ]
}

export const searchIndex = ({ chapters, subjects }: Pick<DocsSite, 'chapters' | 'subjects'>): Entry[] => [
  ...chapters.flatMap(sections),
  ...subjects.map(({ title, summary, name }): Entry => [title, 'Subject', `docs/api/${name}`, summary]),
  ...(endpoints as readonly EndpointSpec[]).map((endpoint): Entry => {
    const { id, method, path, summary } = endpoint
    return [`${method} ${path}`, 'Endpoint', `docs/api/${subjectNameOf(endpoint)}#${id}`, `${summary} ${id}`]
  }),
  ...eventCatalog.map(({ type, summary }): Entry => [type, 'Event', `docs/events/${type}`, summary]),
  ...Object.entries(errorCodes).map(
    ([code, { status, summary }]): Entry => [code, 'Error', `docs/errors/${code}`, `${status} ${summary}`],
  ),
  ['Changelog', 'Page', 'docs/changelog', 'what is new, what is going away, versions'],
  ['Client library', 'Page', 'docs/client', 'download npm install TypeScript JavaScript tarball'],
  ['Console', 'Page', 'docs/console', 'try requests with a sandbox key, request log, event log'],
]
